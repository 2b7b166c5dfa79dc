package dev.midcourse.hub.channel;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.kind.ChannelKind;
import dev.midcourse.channels.kind.ChannelSetting;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.chat.person.Identity;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The results of the routes about channels. */
final class ChannelViews {
  private ChannelViews() {}

  record AllChannels(List<OneChannel> channels) {}

  /**
   * A channel.
   *
   * @param account the account of the bot
   * @param state starting, connected, retrying, standby or stopped
   * @param reason why it is not connected
   * @param remedy what a person can do
   * @param source the file with its settings; empty for the terminal
   */
  record OneChannel(
      String channel,
      String kind,
      Optional<String> account,
      String state,
      Optional<Instant> since,
      Optional<String> reason,
      Optional<String> remedy,
      Optional<String> source) {

    static OneChannel of(Channel channel, String kind, Optional<String> source) {
      return of(channel.name().value(), kind, channel.identity(), channel.status(), source);
    }

    static OneChannel of(
        String name,
        String kind,
        Optional<Identity> account,
        ChannelStatus status,
        Optional<String> source) {
      Optional<String> who = account.map(Identity::handle);
      return switch (status) {
        case ChannelStatus.Starting() ->
            new OneChannel(
                name,
                kind,
                who,
                "starting",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                source);
        case ChannelStatus.Connected(Instant since) ->
            new OneChannel(
                name,
                kind,
                who,
                "connected",
                Optional.of(since).filter(at -> at.isAfter(Instant.EPOCH)),
                Optional.empty(),
                Optional.empty(),
                source);
        case ChannelStatus.Retrying(Instant since, String reason) ->
            new OneChannel(
                name,
                kind,
                who,
                "retrying",
                Optional.of(since),
                Optional.of(reason),
                Optional.empty(),
                source);
        case ChannelStatus.Standby(String reason) ->
            new OneChannel(
                name,
                kind,
                who,
                "standby",
                Optional.empty(),
                Optional.of(reason),
                Optional.empty(),
                source);
        case ChannelStatus.Stopped(String reason, String remedy) ->
            new OneChannel(
                name,
                kind,
                who,
                "stopped",
                Optional.empty(),
                Optional.of(reason),
                Optional.of(remedy).filter(text -> !text.isEmpty()),
                source);
      };
    }
  }

  record AllKinds(List<OneKind> kinds) {}

  /** A kind of channel, and what it needs. */
  record OneKind(String kind, String title, List<String> preparation, List<OneSetting> settings) {
    static OneKind of(ChannelKind kind) {
      return new OneKind(
          kind.name(),
          kind.title(),
          kind.preparation(),
          kind.settings().stream().map(OneSetting::of).toList());
    }
  }

  /** A setting of a kind. */
  record OneSetting(String key, String type, boolean required, String description) {
    static OneSetting of(ChannelSetting setting) {
      return new OneSetting(
          setting.key(), WireNames.name(setting.type()), setting.required(), setting.description());
    }
  }

  /**
   * What a check found out.
   *
   * @param added whether the channel is used from now on
   */
  record Checked(String channel, boolean works, boolean added, List<OneCheck> checks) {
    static Checked of(String channel, boolean added, List<ChannelCheck> checks) {
      return new Checked(
          channel,
          checks.stream().noneMatch(check -> check.result() == ChannelCheck.Result.FAILED),
          added,
          checks.stream().map(OneCheck::of).toList());
    }
  }

  /** One result of a check. */
  record OneCheck(String result, String text, Optional<String> remedy) {
    static OneCheck of(ChannelCheck check) {
      return new OneCheck(
          WireNames.name(check.result()),
          check.text(),
          Optional.of(check.remedy()).filter(text -> !text.isEmpty()));
    }
  }
}
