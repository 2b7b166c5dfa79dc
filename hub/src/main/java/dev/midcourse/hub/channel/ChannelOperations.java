package dev.midcourse.hub.channel;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.catalogue.ChannelKinds;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.kind.ChannelKind;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.authority.Action;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.hub.api.access.AccessControl;
import dev.midcourse.hub.api.operation.HubContext;
import dev.midcourse.hub.channel.ChannelViews.AllChannels;
import dev.midcourse.hub.channel.ChannelViews.AllKinds;
import dev.midcourse.hub.channel.ChannelViews.Checked;
import dev.midcourse.hub.channel.ChannelViews.OneChannel;
import dev.midcourse.hub.channel.ChannelViews.OneKind;
import dev.midcourse.hub.settings.ManagedChannels;
import dev.midcourse.hub.settings.SettingsFile;
import dev.midcourse.hub.settings.channel.ConfiguredChannel;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The administration of channels. Only who may manage people may change them. */
public final class ChannelOperations {
  private final AccessControl accessControl;
  private final PlatformChannels platforms;
  private final Supplier<List<Channel>> builtIn;

  /**
   * @param builtIn the terminal and the webhooks
   */
  public ChannelOperations(
      HubContext context, PlatformChannels platforms, Supplier<List<Channel>> builtIn) {
    this.accessControl = context.permits();
    this.platforms = platforms;
    this.builtIn = builtIn;
  }

  AllChannels list(Caller caller) {
    accessControl.require(caller, new Action.SeeChats());
    Stream<OneChannel> own =
        builtIn.get().stream()
            .map(channel ->
                OneChannel.of(
                    channel,
                    channel.name().value().equals("terminal") ? "terminal" : "webhook",
                    Optional.empty()));
    return new AllChannels(
        Stream.concat(own, platforms.all().stream().map(ChannelOperations::view)).toList());
  }

  private static OneChannel view(PlatformChannels.View one) {
    return OneChannel.of(
        one.settings().name().value(),
        one.settings().kind().name(),
        one.channel().flatMap(Channel::identity),
        one.status(),
        Optional.of(one.settings().managed() ? ManagedChannels.FILE : SettingsFile.NAME));
  }

  AllKinds kinds(Caller caller) {
    accessControl.require(caller, new Action.SeeChats());
    return new AllKinds(ChannelKinds.all().stream().map(OneKind::of).toList());
  }

  /** Asks the platform of a configured channel whether it works. */
  Checked test(Caller caller, String name) {
    accessControl.require(caller, new Action.ManagePeople("test a channel"));
    ConfiguredChannel settings = require(name).settings();
    return Checked.of(name, false, platforms.check(settings));
  }

  /** Checks the channel with its platform, and uses it from now on unless the check fails. */
  Checked add(Caller caller, NewChannel request) {
    accessControl.require(caller, new Action.ManagePeople("add a channel"));
    ChannelKind kind = kind(request.kind());
    ChannelName name = request.name().map(ChannelName::of).orElse(ChannelName.of(kind.name()));
    return platforms.reserving(name, () -> add(name, kind, request));
  }

  private Checked add(ChannelName name, ChannelKind kind, NewChannel request) {
    refuseTaken(name);
    boolean added = false;
    try {
      ConfiguredChannel settings =
          platforms.file().prepare(name, kind, request.settings(), request.secrets());
      List<ChannelCheck> checks = platforms.check(settings);
      boolean works =
          checks.stream().noneMatch(check -> check.result() == ChannelCheck.Result.FAILED);
      if (works || request.evenIfItFails()) {
        platforms.add(settings);
        added = true;
      }
      return Checked.of(name.value(), added, checks);
    } finally {
      if (!added) {
        platforms.file().removeSecrets(name, request.secrets().keySet());
      }
    }
  }

  OneChannel remove(Caller caller, String name) {
    accessControl.require(caller, new Action.ManagePeople("remove a channel"));
    PlatformChannels.View before = require(name);
    if (!before.settings().managed()) {
      throw Problem.invalid(
              "channel",
              "a channel that midcourse channel has added",
              "the channel "
                  + name
                  + " is in "
                  + SettingsFile.NAME
                  + ": delete its table [channels."
                  + name
                  + "] there, then restart the hub: midcourse shutdown")
          .refused();
    }
    platforms.remove(before.settings().name());
    return view(before);
  }

  private static ChannelKind kind(String name) {
    return ChannelKinds.named(name)
        .orElseThrow(() -> {
          String kinds =
              String.join(", ", ChannelKinds.all().stream().map(ChannelKind::name).toList());
          return Problem.invalid(
                  "kind",
                  "one of: " + kinds,
                  "there is no kind of channel '" + name + "'; use one of: " + kinds)
              .refused();
        });
  }

  private void refuseTaken(ChannelName name) {
    boolean isBuiltIn = builtIn.get().stream().anyMatch(channel -> channel.name().equals(name));
    if (isBuiltIn || platforms.named(name).isPresent()) {
      throw Problem.of(
              Code.DUPLICATE,
              "name",
              "a name that no channel has",
              "there is a channel " + name + " already; remove it first, or choose a name: --name")
          .refused();
    }
  }

  private PlatformChannels.View require(String name) {
    return Optional.of(name)
        .map(ChannelName::of)
        .flatMap(platforms::named)
        .orElseThrow(() ->
            Problem.of(
                    Code.NOT_FOUND,
                    "channel",
                    "a channel of a platform; midcourse channel lists them",
                    "there is no channel of a platform with the name '" + name + "'")
                .refused());
  }
}
