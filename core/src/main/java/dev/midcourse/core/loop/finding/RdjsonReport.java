package dev.midcourse.core.loop.finding;

import dev.midcourse.core.json.JsonInput;
import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads the diagnostic format of reviewdog: {@code rdjson}, and {@code rdjsonl} by lines. */
public final class RdjsonReport {
  private RdjsonReport() {}

  /** Whether the object is an rdjson report. */
  public static boolean isRdjson(JsonValue.Obj report) {
    return report.get("diagnostics").filter(JsonValue.Arr.class::isInstance).isPresent();
  }

  /**
   * Returns the findings of an rdjson report.
   *
   * @param root the absolute path of the checkout in which the tool ran; may be empty
   */
  public static ReportContent read(JsonValue.Obj report, String root) {
    Optional<JsonValue> severity = report.get("severity");
    return ReportContent.of(
        report.objects("diagnostics").stream()
            .map(it ->
                it.get("severity").isEmpty() && severity.isPresent()
                    ? it.with("severity", severity.get())
                    : it)
            .map(it -> finding(it, root))
            .toList());
  }

  /**
   * Returns the findings of a text with one diagnostic a line; empty if a line is none, or if there
   * is no line.
   */
  public static Optional<ReportContent> readLines(String text, String root) {
    List<ReportedFinding> findings = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      if (line.isBlank()) {
        continue;
      }
      Optional<JsonValue.Obj> diagnostic =
          JsonInput.parse(line)
              .filter(JsonValue.Obj.class::isInstance)
              .map(JsonValue.Obj.class::cast)
              .filter(it -> it.string("message").isPresent() && it.get("location").isPresent());
      if (diagnostic.isEmpty()) {
        return Optional.empty();
      }
      findings.add(finding(diagnostic.get(), root));
    }
    return findings.isEmpty() ? Optional.empty() : Optional.of(ReportContent.of(findings));
  }

  private static ReportedFinding finding(JsonValue.Obj diagnostic, String root) {
    String message = diagnostic.string("message").orElse("").strip();
    String first = message.lines().findFirst().orElse("");
    String code = diagnostic.object("code").string("value").orElse("");
    JsonValue.Obj place = diagnostic.object("location");
    return new ReportedFinding(
        Optional.empty(),
        place.string("path").flatMap(path -> ReportPaths.relative(path, root)),
        place.object("range").object("start").number("line").map(Long::intValue).orElse(0),
        "",
        severity(diagnostic.text("severity").orElse("")),
        code.isEmpty() ? first : code + ": " + first,
        message,
        diagnostic.objects("suggestions").stream()
            .findFirst()
            .flatMap(it -> it.string("text"))
            .orElse(""));
  }

  /** The severity by its name or its number. A report without one holds the loop. */
  private static Severity severity(String word) {
    return switch (word.toUpperCase(Locale.ROOT)) {
      case "WARNING", "2" -> Severity.MINOR;
      case "INFO", "3" -> Severity.NIT;
      default -> Severity.MAJOR;
    };
  }
}
