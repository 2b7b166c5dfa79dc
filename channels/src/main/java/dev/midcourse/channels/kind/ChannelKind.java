package dev.midcourse.channels.kind;

import dev.midcourse.channels.Channel;
import java.util.List;

/** A kind of channel. An object of it has no state and makes any number of channels. */
public interface ChannelKind {
  /** The word in the settings file: {@code telegram}. */
  String name();

  /** The name for people: {@code Telegram}. */
  String title();

  /** The settings, in the order in which {@code midcourse channel add} asks for them. */
  List<ChannelSetting> settings();

  /** What a person must do at the platform first, one step each. */
  List<String> preparation();

  /**
   * Makes a channel. Reads every setting and connects to nothing.
   *
   * @throws dev.midcourse.core.RefusedException if a setting is missing or wrong
   */
  Channel open(ChannelConfig config, ChannelContext context);

  /**
   * Asks the platform whether a channel with these settings would work: who the bot is, what it may
   * read, what is missing. Blocks for some seconds at most; a failure is a result.
   */
  List<ChannelCheck> check(ChannelConfig config, ChannelContext context);
}
