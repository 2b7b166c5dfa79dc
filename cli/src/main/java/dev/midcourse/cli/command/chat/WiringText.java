package dev.midcourse.cli.command.chat;

import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.input.NumberOptions;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.util.List;

/** The options that set the fields of a wiring, and a wiring as text. */
final class WiringText {
  static final OptionSpec ENGAGE =
      OptionSpec.choice(
          "--engage",
          "MODE",
          List.of("pattern", "mention", "mention_sticky"),
          "when the worker engages");
  static final OptionSpec PATTERN =
      OptionSpec.value("--pattern", "REGEX", "for pattern: a regular expression; . is always");
  static final OptionSpec SENDER_SCOPE =
      OptionSpec.choice("--sender-scope", "SCOPE", List.of("all", "known"), "whose messages count");
  static final OptionSpec IGNORED =
      OptionSpec.choice(
          "--ignored",
          "POLICY",
          List.of("drop", "accumulate"),
          "what becomes of other messages: accumulate keeps them as context");
  static final OptionSpec SESSION =
      OptionSpec.choice(
          "--session",
          "MODE",
          List.of("shared", "per_thread", "per_worker"),
          "which messages share a conversation");
  static final OptionSpec PRIORITY =
      OptionSpec.value("--priority", "NUMBER", "of several wirings the highest comes first");
  static final OptionSpec ON_LIVE_RUN =
      OptionSpec.choice(
          "--on-live-run",
          "MODE",
          List.of("steer", "interrupt", "follow_up", "collect"),
          "what a reply to a live run means");
  static final OptionSpec DEBOUNCE =
      OptionSpec.value(
          "--debounce", "TIME", "wait for further messages before a run starts (2s, up to 5m)");

  static final List<OptionSpec> OPTIONS =
      List.of(
          ENGAGE,
          PATTERN,
          SENDER_SCOPE,
          IGNORED,
          SESSION,
          PRIORITY,
          ON_LIVE_RUN,
          DEBOUNCE,
          CommonOptions.JSON);

  private WiringText() {}

  /** The fields that the options set. */
  static JsonValue.Obj fields(ParsedArguments arguments) {
    JsonValue.Obj fields =
        JsonValue.Obj.EMPTY
            .with("engage_mode", arguments.value(ENGAGE))
            .with("engage_pattern", arguments.value(PATTERN))
            .with("sender_scope", arguments.value(SENDER_SCOPE))
            .with("ignored_message_policy", arguments.value(IGNORED))
            .with("session_mode", arguments.value(SESSION))
            .with("on_live_run", arguments.value(ON_LIVE_RUN))
            .with("debounce", arguments.value(DEBOUNCE));
    return NumberOptions.of(arguments, PRIORITY)
        .map(priority -> fields.with("priority", priority))
        .orElse(fields);
  }

  static String engages(JsonValue.Obj wiring) {
    return wiring.text("engage_mode").orElse("")
        + wiring.text("engage_pattern").map(pattern -> " " + pattern).orElse("");
  }

  static String line(JsonValue.Obj wiring) {
    return wiring.text("worker").orElse("")
        + " ("
        + wiring.text("wiring_id").orElse("")
        + "): "
        + engages(wiring)
        + ", senders "
        + wiring.text("sender_scope").orElse("")
        + ", ignored "
        + wiring.text("ignored_message_policy").orElse("")
        + ", session "
        + wiring.text("session_mode").orElse("")
        + ", live run "
        + wiring.text("on_live_run").orElse("");
  }
}
