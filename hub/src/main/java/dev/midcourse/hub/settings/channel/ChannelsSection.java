package dev.midcourse.hub.settings.channel;

import dev.midcourse.channels.ChannelFeature;
import dev.midcourse.channels.catalogue.ChannelKinds;
import dev.midcourse.channels.kind.ChannelKind;
import dev.midcourse.channels.webhook.WebhookSecret;
import dev.midcourse.channels.webhook.WebhookSettings;
import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.hub.settings.toml.ConfigSection;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tables {@code [channels.NAME]} and {@code [outbox]} of the settings file. */
public final class ChannelsSection {
  private static final String WEBHOOK = "webhook";
  private static final Set<String> BUILT_IN = Set.of("terminal");
  private static final Set<ChannelFeature> CHOOSABLE =
      Set.of(ChannelFeature.EDITS, ChannelFeature.REACTIONS, ChannelFeature.BUTTONS);

  private ChannelsSection() {}

  public static ChannelSettings read(ConfigSection channels, ConfigSection outbox, Path data) {
    List<WebhookSettings> webhooks = new ArrayList<>();
    List<ConfiguredChannel> platforms = new ArrayList<>();
    channels
        .sectionByName()
        .forEach((key, section) -> {
          if (kind(channels, key, section).equals(WEBHOOK)) {
            ChannelName name = channels.held(key, () -> name(key));
            webhooks.add(webhook(channels, key, name, section, data));
          } else {
            platforms.add(platform(channels, key, section, data, false));
          }
        });
    ChannelSettings settings =
        new ChannelSettings(
            webhooks,
            platforms,
            outbox.duration("give_up_after").orElse(ChannelSettings.DEFAULT.giveUpAfter()));
    outbox.noMore();
    return settings;
  }

  /** Reads the channels of a file that {@code midcourse channel} writes. */
  public static List<ConfiguredChannel> readManaged(ConfigSection channels, Path data) {
    List<ConfiguredChannel> platforms = new ArrayList<>();
    channels
        .sectionByName()
        .forEach((key, section) -> platforms.add(platform(channels, key, section, data, true)));
    return platforms;
  }

  private static ConfiguredChannel platform(
      ConfigSection channels, String key, ConfigSection section, Path data, boolean managed) {
    ChannelName name = channels.held(key, () -> name(key));
    String kind = kind(channels, key, section);
    return new ConfiguredChannel(
        name,
        ChannelKinds.named(kind)
            .orElseThrow(() -> missing(channels, key, "kind", "a kind of channel of a platform")),
        section,
        data,
        managed);
  }

  private static String kind(ConfigSection channels, String key, ConfigSection section) {
    String kinds =
        Stream.concat(ChannelKinds.all().stream().map(ChannelKind::name), Stream.of(WEBHOOK))
            .collect(Collectors.joining(", "));
    return section
        .text(
            "kind",
            text -> {
              if (!text.equals(WEBHOOK) && ChannelKinds.named(text).isEmpty()) {
                throw Problem.invalid(
                        "kind",
                        "one of: " + kinds,
                        "kind must be one of: " + kinds + "; got " + WireNames.shown(text))
                    .refused();
              }
              return text;
            })
        .orElseThrow(() -> missing(channels, key, "kind", "one of: " + kinds));
  }

  private static ChannelName name(String key) {
    if (BUILT_IN.contains(key)) {
      throw Problem.invalid(
              key, "a name other than terminal", "the channel " + key + " is built in")
          .refused();
    }
    return ChannelName.of(key);
  }

  private static WebhookSettings webhook(
      ConfigSection channels, String key, ChannelName name, ConfigSection section, Path data) {
    Optional<WebhookSecret> inFile = section.text("secret", WebhookSecret::of);
    Optional<WebhookSecret> ofFile =
        section.text("secret_file", file -> WebhookSecret.of(content(data.resolve(file))));
    if (inFile.isPresent() == ofFile.isPresent()) {
      throw missing(channels, key, "secret or secret_file", "one of the two");
    }
    Optional<URI> url = section.text("url", text -> SafeUrl.of("url", text));
    var timeout = section.duration("timeout");
    EnumSet<ChannelFeature> features = EnumSet.copyOf(CHOOSABLE);
    section
        .texts("features")
        .ifPresent(names -> {
          features.clear();
          names.forEach(text -> features.add(section.held("features", () -> feature(text))));
        });
    if (section.flag("idempotent").orElse(false)) {
      features.add(ChannelFeature.IDEMPOTENT_SENDS);
    }
    section.noMore();
    return new WebhookSettings(
        name,
        inFile.or(() -> ofFile).orElseThrow(),
        url,
        timeout.orElse(WebhookSettings.DEFAULT_TIMEOUT),
        features);
  }

  private static RefusedException missing(
      ConfigSection channels, String key, String setting, String rule) {
    return channels.held(
        key,
        () -> {
          throw Problem.invalid(
                  setting, rule, "channels." + key + " needs " + setting + ": " + rule)
              .refused();
        });
  }

  private static ChannelFeature feature(String text) {
    return CHOOSABLE.stream()
        .filter(feature -> WireNames.name(feature).equals(text))
        .findFirst()
        .orElseThrow(() -> {
          String rule = "a list of: edits, reactions, buttons";
          return Problem.invalid(
                  "features", rule, "features must be " + rule + "; got " + WireNames.shown(text))
              .refused();
        });
  }

  private static String content(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new RefusedException(
          Problem.invalid("secret_file", "a file that can be read", file + " cannot be read: " + e),
          e);
    }
  }
}
