package dev.midcourse.core.loop.finding;

import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads SARIF 2.1.0, the form of static analysis tools. Results that the report itself calls old,
 * gone, suppressed or passed are left out: they are no remarks about the work.
 */
public final class SarifReport {
  private static final int MAX_ARGUMENTS = 20;

  private final JsonValue.Obj run;
  private final String root;

  private SarifReport(JsonValue.Obj run, String root) {
    this.run = run;
    this.root = root;
  }

  /** Whether the object is a SARIF log of a version that this class reads. */
  public static boolean isSarif(JsonValue.Obj report) {
    return report.string("version").filter(it -> it.startsWith("2.1.")).isPresent()
        && report.get("runs").filter(JsonValue.Arr.class::isInstance).isPresent();
  }

  /**
   * Returns the findings of all runs of the log.
   *
   * @param root the absolute path of the checkout in which the tool ran; may be empty
   */
  public static ReportContent read(JsonValue.Obj report, String root) {
    List<ReportedFinding> findings = new ArrayList<>();
    for (JsonValue.Obj run : report.objects("runs")) {
      SarifReport reader = new SarifReport(run, root);
      run.objects("results").stream()
          .filter(SarifReport::counts)
          .map(reader::finding)
          .forEach(findings::add);
    }
    return ReportContent.of(findings);
  }

  /** Whether each tool of the log says that it came to its end; false if it has no run. */
  static boolean isComplete(JsonValue.Obj report) {
    List<JsonValue.Obj> runs = report.objects("runs");
    return !runs.isEmpty()
        && runs.stream()
            .flatMap(run -> run.objects("invocations").stream())
            .allMatch(
                it -> it.get("executionSuccessful").isEmpty() || it.is("executionSuccessful"));
  }

  /** The commits that the log says it is about. */
  static List<String> commits(JsonValue.Obj report) {
    return report.objects("runs").stream()
        .flatMap(run -> run.objects("versionControlProvenance").stream())
        .flatMap(it -> it.string("revisionId").stream())
        .toList();
  }

  private static boolean counts(JsonValue.Obj result) {
    String baseline = result.string("baselineState").orElse("new");
    return result.string("kind").orElse("fail").equals("fail")
        && !baseline.equals("unchanged")
        && !baseline.equals("absent")
        && !isSuppressed(result);
  }

  /** A suppression that is under review or was rejected does not count. */
  private static boolean isSuppressed(JsonValue.Obj result) {
    return result.objects("suppressions").stream()
        .anyMatch(it -> it.string("status").orElse("accepted").equals("accepted"));
  }

  private ReportedFinding finding(JsonValue.Obj result) {
    JsonValue.Obj rule = rule(result);
    String id = result.string("ruleId").or(() -> rule.string("id")).orElse("");
    String message = message(result.object("message"), rule);
    String first = message.lines().findFirst().orElse("");
    JsonValue.Obj place =
        result.objects("locations").stream()
            .findFirst()
            .map(it -> it.object("physicalLocation"))
            .orElse(JsonValue.Obj.EMPTY);
    return new ReportedFinding(
        Optional.empty(),
        path(place.object("artifactLocation")),
        place.object("region").number("startLine").map(Long::intValue).orElse(0),
        fingerprint(result),
        severity(result, rule),
        id.isEmpty() ? first : first.isEmpty() ? id : id + ": " + first,
        body(message, rule),
        result.objects("fixes").stream()
            .findFirst()
            .map(fix -> text(fix.object("description")))
            .orElse(""));
  }

  /** The rule by its index or its id, in the tool or in one of its extensions. */
  private JsonValue.Obj rule(JsonValue.Obj result) {
    JsonValue.Obj tool = run.object("tool");
    JsonValue.Obj named = result.object("rule");
    Optional<Long> extension = named.object("toolComponent").number("index");
    List<JsonValue.Obj> rules =
        extension
            .flatMap(index -> at(tool.objects("extensions"), index))
            .orElse(tool.object("driver"))
            .objects("rules");
    Optional<Long> index = result.number("ruleIndex").or(() -> named.number("index"));
    Optional<String> id = result.string("ruleId").or(() -> named.string("id"));
    return index
        .flatMap(it -> at(rules, it))
        .or(() ->
            id.flatMap(name ->
                rules.stream().filter(it -> it.string("id").equals(Optional.of(name))).findFirst()))
        .orElse(JsonValue.Obj.EMPTY);
  }

  private static Optional<JsonValue.Obj> at(List<JsonValue.Obj> list, long index) {
    return index >= 0 && index < list.size()
        ? Optional.of(list.get((int) index))
        : Optional.empty();
  }

  /** The text of a message, which may be that of its rule with arguments. */
  private static String message(JsonValue.Obj message, JsonValue.Obj rule) {
    String text = text(message);
    if (text.isEmpty()) {
      text =
          message.string("id").map(id -> text(rule.object("messageStrings").object(id))).orElse("");
    }
    List<String> arguments = message.texts("arguments");
    for (int i = 0; i < Math.min(arguments.size(), MAX_ARGUMENTS); i++) {
      text = text.replace("{" + i + "}", arguments.get(i));
    }
    return text.strip();
  }

  private static String text(JsonValue.Obj message) {
    return message.string("text").or(() -> message.string("markdown")).orElse("");
  }

  private static String body(String message, JsonValue.Obj rule) {
    String about = text(rule.object("shortDescription"));
    return about.isEmpty() || message.contains(about) ? message : message + "\n(" + about + ")";
  }

  private Optional<String> path(JsonValue.Obj artifact) {
    return artifact
        .string("uri")
        .or(() ->
            artifact
                .number("index")
                .flatMap(index -> at(run.objects("artifacts"), index))
                .flatMap(it -> it.object("location").string("uri")))
        .flatMap(uri -> ReportPaths.relativeUri(uri, root));
  }

  /** What the tool itself knows the result by in the next run, so that lines may move. */
  private static String fingerprint(JsonValue.Obj result) {
    Map<String, String> parts = new TreeMap<>();
    for (String field : List.of("fingerprints", "partialFingerprints")) {
      if (parts.isEmpty()) {
        result
            .object(field)
            .fields()
            .forEach((name, value) -> {
              if (value instanceof JsonValue.Str(String text) && text.length() <= 200) {
                parts.put(name, text);
              }
            });
      }
    }
    return parts.isEmpty() ? "" : "sarif " + parts;
  }

  private static Severity severity(JsonValue.Obj result, JsonValue.Obj rule) {
    String level =
        result
            .string("level")
            .or(() -> rule.object("defaultConfiguration").string("level"))
            .orElse("warning");
    return switch (level.toLowerCase(Locale.ROOT)) {
      case "error" -> Severity.MAJOR;
      case "warning" -> Severity.MINOR;
      case "note", "none" -> Severity.NIT;
      default -> Severity.MAJOR;
    };
  }
}
