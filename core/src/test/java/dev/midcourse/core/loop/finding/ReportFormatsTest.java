package dev.midcourse.core.loop.finding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.json.JsonInput;
import dev.midcourse.core.json.JsonValue;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Reports of tools: SARIF, rdjson and annotations. */
class ReportFormatsTest {
  private static final String ROOT = "/code/ci-3";

  private static JsonValue.Obj json(String text) {
    return (JsonValue.Obj) JsonInput.read("text", text);
  }

  private static String sarif(String results) {
    return """
    {"version": "2.1.0",
     "runs": [{
       "tool": {"driver": {"name": "lint", "rules": [
         {"id": "R0", "shortDescription": {"text": "Null is dereferenced"},
          "defaultConfiguration": {"level": "error"},
          "messageStrings": {"m": {"text": "{0} may be null in {1}"}}},
         {"id": "R1"}]}},
       "artifacts": [{"location": {"uri": "src/B.java"}}],
       "results": [%s]}]}
    """
        .formatted(results);
  }

  private static List<ReportedFinding> readSarif(String results) {
    return SarifReport.read(json(sarif(results)), ROOT).findings();
  }

  @Test
  void a_sarif_result_has_the_place_the_level_and_the_text_of_its_rule() {
    ReportedFinding finding =
        readSarif(
                """
                {"ruleIndex": 0, "message": {"id": "m", "arguments": ["user", "login"]},
                 "locations": [{"physicalLocation": {
                   "artifactLocation": {"uri": "file:///code/ci-3/src/A%20B.java"},
                   "region": {"startLine": 7}}}],
                 "partialFingerprints": {"primaryLocationLineHash": "39fa2ee980eb94b0:1"}}
                """)
            .getFirst();
    assertThat(finding.path()).contains("src/A B.java");
    assertThat(finding.line()).isEqualTo(7);
    assertThat(finding.severity()).isEqualTo(Severity.MAJOR);
    assertThat(finding.title()).isEqualTo("R0: user may be null in login");
    assertThat(finding.body()).contains("(Null is dereferenced)");
    assertThat(finding.anchor()).contains("39fa2ee980eb94b0:1");
  }

  @Test
  void a_sarif_artifact_may_be_named_by_its_index_and_a_level_by_the_result() {
    ReportedFinding finding =
        readSarif(
                """
                {"ruleId": "R1", "level": "note", "message": {"text": "a name"},
                 "locations": [{"physicalLocation": {"artifactLocation": {"index": 0}}}]}
                """)
            .getFirst();
    assertThat(finding.path()).contains("src/B.java");
    assertThat(finding.severity()).isEqualTo(Severity.NIT);
  }

  /** Seen to fail when baselineState, suppressions or kind are not read. */
  @Test
  void old_suppressed_and_passed_sarif_results_are_no_findings() {
    assertThat(
            readSarif(
                """
                {"message": {"text": "old"}, "baselineState": "unchanged"},
                {"message": {"text": "gone"}, "baselineState": "absent"},
                {"message": {"text": "accepted"}, "suppressions": [{"kind": "inSource"}]},
                {"message": {"text": "passed"}, "kind": "pass"},
                {"message": {"text": "new"}, "baselineState": "new"},
                {"message": {"text": "rejected"},
                 "suppressions": [{"kind": "external", "status": "rejected"}]}
                """))
        .extracting(ReportedFinding::title)
        .containsExactly("new", "rejected");
  }

  /** Seen to fail when a path is not checked. */
  @Test
  void t683_a_sarif_path_out_of_the_checkout_is_no_path() {
    assertThat(
            readSarif(
                """
                {"message": {"text": "a"}, "locations": [{"physicalLocation":
                  {"artifactLocation": {"uri": "../../etc/passwd"}}}]},
                {"message": {"text": "b"}, "locations": [{"physicalLocation":
                  {"artifactLocation": {"uri": "file:///etc/passwd"}}}]},
                {"message": {"text": "c"}, "locations": [{"physicalLocation":
                  {"artifactLocation": {"uri": "file:///code/ci-3/%2e%2e/x"}}}]}
                """))
        .hasSize(3)
        .allMatch(it -> it.path().isEmpty());
  }

  @Test
  void more_than_fifty_results_are_counted() {
    String results =
        "{\"message\": {\"text\": \"x\"}},".repeat(59) + "{\"message\": {\"text\": \"x\"}}";
    ReportContent content = SarifReport.read(json(sarif(results)), ROOT);
    assertThat(content.findings()).hasSize(50);
    assertThat(content.omitted()).isEqualTo(10);
  }

  @Test
  void an_rdjson_report_has_places_severities_and_suggestions() {
    ReportContent content =
        RdjsonReport.read(
            json(
                """
                {"source": {"name": "vale"}, "severity": "WARNING", "diagnostics": [
                  {"message": "Say it shorter", "location": {"path": "docs/a.md",
                    "range": {"start": {"line": 3, "column": 2}}},
                   "code": {"value": "Style.Short"}, "suggestions": [{"text": "Short."}]},
                  {"message": "Broken", "severity": "ERROR", "location": {"path": "./b.md"}},
                  {"message": "Hint", "severity": 3, "location": {"path": "c.md"}}]}
                """),
            ROOT);
    assertThat(content.findings())
        .extracting(ReportedFinding::title)
        .containsExactly("Style.Short: Say it shorter", "Broken", "Hint");
    assertThat(content.findings())
        .extracting(ReportedFinding::severity)
        .containsExactly(Severity.MINOR, Severity.MAJOR, Severity.NIT);
    assertThat(content.findings().getFirst().line()).isEqualTo(3);
    assertThat(content.findings().getFirst().suggestion()).isEqualTo("Short.");
    assertThat(content.findings().get(1).path()).contains("b.md");
  }

  /** Seen to fail when lines that are no diagnostics are left out. */
  @Test
  void rdjson_lines_are_read_only_if_each_is_a_diagnostic() {
    String line = "{\"message\": \"a\", \"location\": {\"path\": \"/code/ci-3/x.sh\"}}";
    Optional<ReportContent> read = RdjsonReport.readLines(line + "\n\n" + line + "\n", ROOT);
    assertThat(read.orElseThrow().findings()).hasSize(2);
    assertThat(read.get().findings().getFirst().path()).contains("x.sh");
    assertThat(RdjsonReport.readLines(line + "\n{\"other\": 1}", ROOT)).isEmpty();
    assertThat(RdjsonReport.readLines("\n", ROOT)).isEmpty();
  }

  @Test
  void annotations_are_read_from_lines_with_their_escapes() {
    ReportContent content =
        AnnotationLines.read(
            List.of(
                "compiling",
                "::error file=src/a%2Cb.ts,line=3,endLine=4,title=TS%3A2322::Type 'x'%0Ais wrong: 100%25",
                "  ::warning::no place",
                "::notice file=c.ts::a hint",
                "::debug::no",
                "::set-output name=x::y",
                "::error file=d.ts::",
                "::group::z"),
            ROOT);
    assertThat(content.findings())
        .extracting(ReportedFinding::title)
        .containsExactly("TS:2322: Type 'x'", "no place", "a hint");
    ReportedFinding first = content.findings().getFirst();
    assertThat(first.path()).contains("src/a,b.ts");
    assertThat(first.line()).isEqualTo(3);
    assertThat(first.body()).isEqualTo("Type 'x'\nis wrong: 100%");
    assertThat(content.findings())
        .extracting(ReportedFinding::severity)
        .containsExactly(Severity.MAJOR, Severity.MINOR, Severity.NIT);
  }
}
