package dev.midcourse.hub.settings.channel;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.kind.ChannelConfig;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.channels.kind.ChannelKind;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.hub.settings.toml.ConfigSection;
import java.nio.file.Path;
import java.util.List;

/**
 * A channel of a platform in a settings file. Its settings are read when it is opened, because its
 * secrets may come from a command.
 *
 * @param data the folder to which the names of files are relative
 * @param managed whether {@code midcourse channel} wrote it and may remove it
 */
public record ConfiguredChannel(
    ChannelName name, ChannelKind kind, ConfigSection section, Path data, boolean managed) {

  /**
   * Makes the channel.
   *
   * @throws dev.midcourse.core.RefusedException if a setting is missing, wrong or unknown
   */
  public Channel open(ChannelContext context) {
    Channel channel = kind.open(config(), context);
    try {
      section.noMore();
      return channel;
    } catch (RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Asks the platform whether the channel would work. */
  public List<ChannelCheck> check(ChannelContext context) {
    return kind.check(config(), context);
  }

  private ChannelConfig config() {
    return new SectionChannelConfig(name, section, data);
  }
}
