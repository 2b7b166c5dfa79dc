package dev.midcourse.channels.program;

import static dev.midcourse.channels.kind.ChannelSetting.optional;
import static dev.midcourse.channels.kind.ChannelSetting.required;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelCapabilities;
import dev.midcourse.channels.ChannelFeature;
import dev.midcourse.channels.ChannelLimits;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.kind.ChannelConfig;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.channels.kind.ChannelKind;
import dev.midcourse.channels.kind.ChannelSetting;
import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.WireNames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A channel of any program that speaks JSON lines. */
public final class ProgramKind implements ChannelKind {
  private static final int DEFAULT_MAX_TEXT = 4_000;
  private static final int DEFAULT_MAX_BUTTONS = 5;
  private static final long MAX_FILE_BYTES = 50L * 1024 * 1024;
  private static final Set<ChannelFeature> CHOOSABLE =
      Set.of(
          ChannelFeature.EDITS,
          ChannelFeature.REACTIONS,
          ChannelFeature.BUTTONS,
          ChannelFeature.FILES,
          ChannelFeature.TYPING,
          ChannelFeature.IDEMPOTENT_SENDS);

  @Override
  public String name() {
    return "program";
  }

  @Override
  public String title() {
    return "any program that speaks JSON lines";
  }

  @Override
  public List<ChannelSetting> settings() {
    return List.of(
        required("command", ChannelSetting.Type.LIST, "The program and its arguments."),
        optional(
            "features",
            ChannelSetting.Type.LIST,
            "What it can do: edits, reactions, buttons, files, ..."),
        optional("max_text", ChannelSetting.Type.NUMBER, "The greatest length of a message."),
        optional(
            "max_buttons", ChannelSetting.Type.NUMBER, "The greatest number of buttons of a card."),
        optional(
            "send_interval",
            ChannelSetting.Type.DURATION,
            "The least time between two messages in a chat."),
        optional(
            "token",
            ChannelSetting.Type.SECRET,
            "A secret for the program, in MIDCOURSE_CHANNEL_TOKEN."));
  }

  @Override
  public List<String> preparation() {
    return List.of(
        "Write the program as docs/channels/program.md says, or take one of the examples.");
  }

  @Override
  public Channel open(ChannelConfig config, ChannelContext context) {
    return new ProgramChannel(settings(config, context.folder()), context);
  }

  /** Plays the conformance test: whether the program keeps the rules of the lines. */
  @Override
  public List<ChannelCheck> check(ChannelConfig config, ChannelContext context) {
    return new ProgramCheck(settings(config, context.folder()), ProgramCheck.TIMEOUT).run();
  }

  private static ProgramSettings settings(ChannelConfig config, Path folder) {
    List<String> command =
        config
            .texts("command")
            .filter(words -> !words.isEmpty())
            .orElseThrow(() -> missing("command", "a list with the program and its arguments"));
    EnumSet<ChannelFeature> features = EnumSet.noneOf(ChannelFeature.class);
    config.texts("features").ifPresent(names -> names.forEach(name -> features.add(feature(name))));
    int maxText = config.number("max_text", 100, 1_000_000).orElse(DEFAULT_MAX_TEXT);
    int maxButtons = config.number("max_buttons", 1, 100).orElse(DEFAULT_MAX_BUTTONS);
    Duration interval = config.duration("send_interval").orElse(Duration.ZERO);
    return new ProgramSettings(
        config.name(),
        command,
        new ChannelCapabilities(
            features,
            new ChannelLimits(
                maxText, maxButtons, MAX_FILE_BYTES, interval, Duration.ofSeconds(1))),
        config.secret("token"),
        folder);
  }

  private static ChannelFeature feature(String text) {
    return CHOOSABLE.stream()
        .filter(feature -> WireNames.name(feature).equals(text))
        .findFirst()
        .orElseThrow(() ->
            missing(
                "features",
                "a list of: "
                    + String.join(
                        ", ", CHOOSABLE.stream().map(WireNames::name).sorted().toList())));
  }

  private static RefusedException missing(String key, String rule) {
    return Problem.invalid(key, rule, key + " must be " + rule).refused();
  }
}
