package dev.midcourse.core.loop.finding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading what reviewers and fixers write. */
class ReviewReportTest {
  private static final String HEAD = "0123456789abcdef0123456789abcdef01234567";

  private static ReviewReport read(String block) {
    return ReviewReport.read("Some words.\n<review>" + block + "</review>\nBye", HEAD);
  }

  @Test
  void a_report_that_says_clean_about_this_commit_has_no_findings() {
    assertThat(read("{\"head\":\"%s\",\"verdict\":\"clean\",\"findings\":[]}".formatted(HEAD)))
        .isEqualTo(new ReviewReport.NoFindings());
  }

  /** Seen to fail when the commit of the report is not compared. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"verdict\":\"clean\"}",
        "{\"head\":\"0123\",\"verdict\":\"clean\"}",
        "{\"head\":\"ffffffffff\",\"verdict\":\"clean\"}",
        "{\"head\":\"0123456789abcdef0123456789abcdef01234567\",\"verdict\":\"findings\"}",
        "{\"head\":\"0123456789abcdef0123456789abcdef01234567\"}",
        "not JSON",
        "[]",
        ""
      })
  void t602_whatever_is_not_said_clearly_is_unreadable_and_never_clean(String block) {
    assertThat(read(block)).isInstanceOf(ReviewReport.Unreadable.class);
  }

  /** Seen to fail when a text without a block has no findings. */
  @Test
  void t602_words_without_a_block_are_unreadable() {
    assertThat(ReviewReport.read("LGTM, all clean! <review>", HEAD))
        .isInstanceOf(ReviewReport.Unreadable.class);
  }

  @Test
  void findings_count_although_the_verdict_says_clean() {
    ReviewReport report =
        read(
            """
            {"head": "0123456789ab", "verdict": "clean", "findings": [
              {"id": "F3", "path": "src/A.java", "line": 7, "severity": "critical",
               "title": "Off  by\\n one", "body": "because", "suggestion": "i + 1"}]}
            """);
    assertThat(report).isInstanceOf(ReviewReport.WithFindings.class);
    ReportedFinding finding = ((ReviewReport.WithFindings) report).findings().getFirst();
    assertThat(finding.known()).contains(new FindingId(3));
    assertThat(finding.severity()).isEqualTo(Severity.BLOCKER);
    assertThat(finding.title()).isEqualTo("Off by one");
  }

  @Test
  void an_unknown_severity_holds_the_loop() {
    ReviewReport report = read("{\"head\":\"01234567\",\"findings\":[{\"title\":\"x\"}]}");
    assertThat(((ReviewReport.WithFindings) report).findings().getFirst().severity().holds())
        .isTrue();
  }

  /** Seen to fail when a path is not checked. */
  @Test
  void t626_a_path_out_of_the_repository_is_no_path() {
    for (String path : new String[] {"../etc/passwd", "/etc/passwd", "a/../../b", " "}) {
      assertThat(ReportedFinding.of(Optional.of(path), 3, Severity.MAJOR, "x", "").path())
          .isEmpty();
    }
  }

  /** Seen to fail when all findings are read. */
  @Test
  void t626_a_long_body_is_cut_and_more_than_fifty_findings_are_counted() {
    StringBuilder all = new StringBuilder("{\"head\":\"01234567\",\"findings\":[");
    for (int i = 0; i < 60; i++) {
      all.append(i == 0 ? "" : ",").append("{\"title\":\"t").append(i).append("\",\"body\":\"");
      all.append("x".repeat(10_000)).append("\"}");
    }
    ReviewReport.WithFindings report =
        (ReviewReport.WithFindings) read(all.append("]}").toString());
    assertThat(report.findings()).hasSize(50);
    assertThat(report.omitted()).isEqualTo(10);
    assertThat(report.findings().getFirst().body()).hasSize(ReportedFinding.MAX_BODY);
  }

  @Test
  void the_form_of_codex_is_read_too() {
    ReviewReport report =
        ReviewReport.read(
            """
            {"findings": [{"title": "[P1] Null", "body": "b", "confidence_score": 0.9, "priority": 1,
              "code_location": {"file_path": "src/A.java", "line_range": {"start": 4, "end": 5}}}],
             "overall_correctness": "patch is incorrect", "overall_explanation": "e",
             "overall_confidence_score": 0.9}
            """,
            HEAD);
    ReportedFinding finding = ((ReviewReport.WithFindings) report).findings().getFirst();
    assertThat(finding.path()).contains("src/A.java");
    assertThat(finding.line()).isEqualTo(4);
    assertThat(
            ReviewReport.read(
                "{\"findings\": [], \"overall_correctness\": \"patch is correct\"}", HEAD))
        .isEqualTo(new ReviewReport.NoFindings());
  }

  @Test
  void codex_names_absolute_paths_of_the_checkout() {
    ReviewReport report =
        ReviewReport.read(
            """
            Here is the review.
            ```json
            {"findings": [{"title": "Leak", "body": "b", "priority": 3,
              "code_location": {"absolute_file_path": "/code/review-2/src/A.java",
                "line_range": {"start": 4, "end": 5}}}],
             "overall_correctness": "patch is incorrect"}
            ```
            """,
            HEAD,
            "/code/review-2");
    ReportedFinding finding = ((ReviewReport.WithFindings) report).findings().getFirst();
    assertThat(finding.path()).contains("src/A.java");
    assertThat(finding.severity()).isEqualTo(Severity.NIT);
  }

  private static String sarif(String commit, String invocation, String results) {
    return """
    {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}},
      "versionControlProvenance": [{"repositoryUri": "x", "revisionId": "%s"}],
      "invocations": [{"executionSuccessful": %s}], "results": [%s]}]}
    """
        .formatted(commit, invocation, results);
  }

  /** Seen to fail when the commit and the end of the tool are not compared. */
  @Test
  void t602_a_sarif_answer_is_clean_only_if_it_is_about_this_commit_and_complete() {
    String result = "{\"message\": {\"text\": \"bad\"}}";
    assertThat(ReviewReport.read(sarif(HEAD, "true", ""), HEAD))
        .isEqualTo(new ReviewReport.NoFindings());
    assertThat(ReviewReport.read(sarif(HEAD, "true", result), HEAD))
        .isInstanceOf(ReviewReport.WithFindings.class);
    assertThat(ReviewReport.read(sarif("f".repeat(40), "true", ""), HEAD))
        .isInstanceOf(ReviewReport.Unreadable.class);
    assertThat(ReviewReport.read(sarif(HEAD, "false", ""), HEAD))
        .isInstanceOf(ReviewReport.Unreadable.class);
    assertThat(ReviewReport.read("{\"version\": \"2.1.0\", \"runs\": []}", HEAD))
        .isInstanceOf(ReviewReport.Unreadable.class);
  }

  @Test
  void the_form_of_reviewdog_is_read_too() {
    assertThat(ReviewReport.read("{\"source\": {\"name\": \"x\"}, \"diagnostics\": []}", HEAD))
        .isEqualTo(new ReviewReport.NoFindings());
    ReviewReport lines =
        ReviewReport.read("{\"message\": \"a\", \"location\": {\"path\": \"a.sh\"}}\n", HEAD);
    assertThat(((ReviewReport.WithFindings) lines).findings()).hasSize(1);
  }

  @Test
  void a_person_types_one_finding_a_line() {
    List<ReportedFinding> findings =
        FindingLines.read(
            """
            src/App.java:12: minor: a name

            README.md: no example
            Why: so?
            Makefile:3: nit: a tab
            """);
    assertThat(findings)
        .extracting(ReportedFinding::title)
        .containsExactly("a name", "no example", "Why: so?", "a tab");
    assertThat(findings.get(3).path()).contains("Makefile");
    assertThat(findings.get(3).line()).isEqualTo(3);
    assertThat(findings.get(0).path()).contains("src/App.java");
    assertThat(findings.get(0).line()).isEqualTo(12);
    assertThat(findings.get(0).severity()).isEqualTo(Severity.MINOR);
    assertThat(findings.get(1).line()).isZero();
    assertThat(findings.get(2).path()).isEmpty();
    assertThat(findings.get(2).severity()).isEqualTo(Severity.MAJOR);
  }

  @Test
  void answers_are_read_and_those_without_a_known_word_are_left_out() {
    assertThat(
            FixAnswers.read(
                """
                <answers>{"findings": [
                  {"id": "F1", "answer": "Fixed"}, {"id": "F2", "answer": "disputed", "why": "no"},
                  {"id": "F3", "answer": "acknowledged"}, {"id": "3", "answer": "fixed"}, 7]}</answers>
                """))
        .containsExactly(
            new FindingAnswer(new FindingId(1), FindingAnswer.Kind.FIXED, ""),
            new FindingAnswer(new FindingId(2), FindingAnswer.Kind.DISPUTED, "no"));
    assertThat(FixAnswers.read("Acknowledged.")).isEmpty();
  }
}
