package dev.midcourse.core.loop.finding;

import dev.midcourse.core.WireNames;
import dev.midcourse.core.json.JsonBlocks;
import dev.midcourse.core.json.JsonInput;
import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a reviewing agent wrote at its end. */
public sealed interface ReviewReport {
  /** The tag around the report. */
  String TAG = "review";

  /** The number of findings of one report that are read; more are only counted. */
  int MAX_FINDINGS = ReportContent.MAX_FINDINGS;

  /** The reviewer says in so many words that it has no finding. */
  record NoFindings() implements ReviewReport {}

  /**
   * The reviewer has findings.
   *
   * @param omitted how many more it reported
   */
  record WithFindings(List<ReportedFinding> findings, int omitted) implements ReviewReport {
    public WithFindings {
      findings = List.copyOf(findings);
    }
  }

  /** The text says neither, or it speaks of another commit. It is never taken for clean. */
  record Unreadable(String why) implements ReviewReport {}

  /** The same for a reviewer whose checkout is not known. */
  static ReviewReport read(String text, String head) {
    return read(text, head, "");
  }

  /**
   * Reads the last report in the text. The form that the prompt demands has to name the commit that
   * was to be reviewed, so that a report about an earlier one never counts. The forms of Codex, of
   * SARIF and of reviewdog are read too; a SARIF log that names another commit does not count.
   *
   * @param root the absolute path of the checkout in which the reviewer worked; may be empty
   */
  static ReviewReport read(String text, String head, String root) {
    Optional<JsonValue.Obj> ours = JsonBlocks.last(TAG, text);
    if (ours.isPresent()) {
      return ours(ours.get(), head);
    }
    return other(text, head, root)
        .or(() -> lastFenced(text).flatMap(inner -> other(inner, head, root)))
        .orElseGet(() -> new Unreadable("its answer has no <review> block with one JSON object"));
  }

  /** The text between the last pair of lines that fence code. */
  private static Optional<String> lastFenced(String text) {
    Matcher fence = Pattern.compile("(?m)^[ \\t]*```.*$").matcher(text);
    List<Integer> ends = new ArrayList<>();
    List<Integer> starts = new ArrayList<>();
    while (fence.find()) {
      starts.add(fence.start());
      ends.add(fence.end());
    }
    int last = starts.size() - 1;
    return last >= 1 && starts.size() % 2 == 0
        ? Optional.of(text.substring(ends.get(last - 1), starts.get(last)))
        : Optional.empty();
  }

  /** The text as a whole in one of the forms of other programs. */
  private static Optional<ReviewReport> other(String text, String head, String root) {
    Optional<JsonValue.Obj> object =
        JsonInput.parse(text.strip())
            .filter(JsonValue.Obj.class::isInstance)
            .map(JsonValue.Obj.class::cast);
    if (object.filter(it -> it.get("overall_correctness").isPresent()).isPresent()) {
      return Optional.of(codex(object.get(), root));
    }
    if (object.filter(SarifReport::isSarif).isPresent()) {
      return Optional.of(sarif(object.get(), head, root));
    }
    if (object.filter(RdjsonReport::isRdjson).isPresent()) {
      ReportContent content = RdjsonReport.read(object.get(), root);
      return Optional.of(verdict(true, content.findings(), content.omitted()));
    }
    return RdjsonReport.readLines(text, root)
        .map(content -> verdict(false, content.findings(), content.omitted()));
  }

  private static ReviewReport sarif(JsonValue.Obj report, String head, String root) {
    Optional<String> foreign =
        SarifReport.commits(report).stream()
            .filter(commit -> commit.length() < 7 || !head.startsWith(commit))
            .findFirst();
    if (foreign.isPresent()) {
      return new Unreadable("its report is about another commit: " + shortened(foreign.get()));
    }
    ReportContent content = SarifReport.read(report, root);
    if (content.isEmpty() && !SarifReport.isComplete(report)) {
      return new Unreadable("its SARIF report says that the tool did not come to its end");
    }
    return verdict(true, content.findings(), content.omitted());
  }

  private static ReviewReport ours(JsonValue.Obj report, String head) {
    String named = report.string("head").orElse("");
    if (named.length() < 7 || !head.startsWith(named)) {
      return new Unreadable(
          named.isEmpty()
              ? "its report names no commit"
              : "its report is about another commit: " + shortened(named));
    }
    List<ReportedFinding> findings =
        report.objects("findings").stream().limit(MAX_FINDINGS).map(ReviewReport::ours).toList();
    int omitted = Math.max(0, report.objects("findings").size() - MAX_FINDINGS);
    return verdict(report.string("verdict").orElse("").equals("clean"), findings, omitted);
  }

  private static ReviewReport verdict(boolean clean, List<ReportedFinding> findings, int omitted) {
    if (!findings.isEmpty()) {
      return new WithFindings(findings, omitted);
    }
    return clean
        ? new NoFindings()
        : new Unreadable("its report has no findings, and does not say \"clean\"");
  }

  private static ReportedFinding ours(JsonValue.Obj fields) {
    return new ReportedFinding(
        fields.string("id").flatMap(ReviewReport::id),
        fields.string("path"),
        fields.number("line").map(Long::intValue).orElse(0),
        "",
        Severity.ofReport(fields.string("severity").orElse("")),
        fields.string("title").orElse(""),
        fields.string("body").orElse(""),
        fields.string("suggestion").orElse(""));
  }

  private static Optional<FindingId> id(String text) {
    return text.matches("[Ff][1-9][0-9]{0,5}") ? Optional.of(FindingId.of(text)) : Optional.empty();
  }

  /** The form that Codex uses for its reviews. It does not name a commit. */
  private static ReviewReport codex(JsonValue.Obj report, String root) {
    List<ReportedFinding> findings = new ArrayList<>();
    for (JsonValue.Obj fields : report.objects("findings")) {
      JsonValue.Obj place = fields.object("code_location");
      findings.add(
          ReportedFinding.of(
              place
                  .string("absolute_file_path")
                  .or(() -> place.string("file_path"))
                  .flatMap(path -> ReportPaths.relative(path, root)),
              place.object("line_range").number("start").map(Long::intValue).orElse(0),
              Severity.ofReport("p" + fields.number("priority").orElse(1L)),
              fields.string("title").orElse(""),
              fields.string("body").orElse("")));
    }
    boolean clean = report.string("overall_correctness").orElse("").equals("patch is correct");
    int omitted = Math.max(0, findings.size() - MAX_FINDINGS);
    return verdict(clean, findings.subList(0, findings.size() - omitted), omitted);
  }

  private static String shortened(String text) {
    return WireNames.shown(text);
  }
}
