package dev.midcourse.cli.command.chat;

import dev.midcourse.cli.client.HubTimes;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.DurationText;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.Table;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Prints results: as JSON if that is wanted, else as text. */
record Printed(ParsedArguments arguments, ShellContext shell) {

  void one(JsonValue.Obj value, Consumer<JsonValue.Obj> text) {
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, value);
    } else {
      text.accept(value);
    }
  }

  /** Prints a table of rows, or a sentence if there are none. */
  void all(List<JsonValue.Obj> values, String none, Consumer<List<JsonValue.Obj>> text) {
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, new JsonValue.Arr(new ArrayList<>(values)));
    } else if (values.isEmpty()) {
      shell.notes().line(none);
    } else {
      text.accept(values);
    }
  }

  void line(String words) {
    shell.page().line(TextSanitizer.line(words));
  }

  String ago(JsonValue.Obj value, String field) {
    return value
        .text(field)
        .flatMap(HubTimes::of)
        .map(at -> DurationText.ago(at, shell.clock().instant()))
        .orElse("");
  }

  /** The time until then: {@code in 9 min}. */
  String until(JsonValue.Obj value, String field) {
    return value
        .text(field)
        .flatMap(HubTimes::of)
        .map(at -> "in " + DurationText.span(Duration.between(shell.clock().instant(), at)))
        .orElse("");
  }

  static Table.Cell cell(JsonValue.Obj value, String field) {
    return Table.Cell.of(value.text(field).orElse(""));
  }
}
