package dev.midcourse.autopilot.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.finding.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reports in the checkout of a run of CI. */
class CiReportsTest {
  private static final String RESULT =
      """
      {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [
        {"level": "%s", "ruleId": "R", "message": {"text": "bad"},
         "locations": [{"physicalLocation": {"artifactLocation": {"uri": "a.c"},
           "region": {"startLine": 2}}}]}]}]}
      """;

  private static final String FAILED_TEST =
      "<testsuite><testcase classname=\"ShopTest\" name=\"adds\" file=\"test/shop.py\" line=\"4\">"
          + "<failure message=\"expected 3\">at X</failure></testcase>"
          + "<testcase classname=\"ShopTest\" name=\"ok\"/></testsuite>";

  @TempDir private Path temporary;
  private Path checkout;
  private Instant since;

  @BeforeEach
  void begin() throws IOException {
    checkout = temporary.toRealPath();
    since = Instant.now().minusSeconds(60);
  }

  private Path write(String name, String text) throws IOException {
    Path file = checkout.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private CiReports read(String... output) {
    return CiReports.read(checkout, since, List.of(output));
  }

  private List<String> titles(String... output) {
    return read(output).content().findings().stream().map(ReportedFinding::title).toList();
  }

  @Test
  void reports_are_found_where_tools_put_them() throws IOException {
    write("target/surefire-reports/TEST-ShopTest.xml", FAILED_TEST);
    write("build/lint.sarif", RESULT.formatted("error"));
    write("out/vale.rdjsonl", "{\"message\":\"long\",\"location\":{\"path\":\"b.md\"}}\n");
    assertThat(titles("ok", "::error file=c.ts,line=3::wrong"))
        .containsExactlyInAnyOrder("Test failed: ShopTest.adds", "R: bad", "long", "wrong");
    assertThat(read().content().findings().getLast().path()).contains("test/shop.py");
  }

  /** Seen to fail when the time of the files is not compared. */
  @Test
  void t684_only_reports_of_this_run_count() throws IOException {
    Path old = write("build/lint.sarif", RESULT.formatted("error"));
    Files.setLastModifiedTime(old, FileTime.from(since.minusSeconds(1)));
    assertThat(titles()).isEmpty();
    Files.setLastModifiedTime(old, FileTime.from(since.plusSeconds(1)));
    assertThat(titles()).hasSize(1);
  }

  /** Seen to fail when a file that cannot be read is left out without a word. */
  @Test
  void t684_a_broken_report_is_said_and_never_clean() throws IOException {
    write("midcourse-reports/a.sarif", "{\"version\": \"2.1.0\", \"runs\": [");
    write("midcourse-reports/b.xml", "<testsuite><testcase>");
    write("midcourse-reports/c.json", "{\"something\": \"else\"}");
    write("midcourse-reports/d.txt", "all is well");
    write("midcourse-reports/e.xml", "");
    CiReports reports = CiReports.readNamed(checkout, since);
    assertThat(reports.content().isEmpty()).isTrue();
    assertThat(reports.problems())
        .containsExactly(
            "report midcourse-reports/a.sarif: it is not well-formed JSON",
            "report midcourse-reports/b.xml: it is not well-formed XML",
            "report midcourse-reports/c.json: it is neither SARIF 2.1.0 nor rdjson",
            "report midcourse-reports/d.txt: it is neither XML nor JSON",
            "report midcourse-reports/e.xml: it is neither XML nor JSON");
  }

  @Test
  void a_report_with_more_than_ten_megabytes_is_said() throws IOException {
    write("x.sarif", "{\"version\": \"" + "x".repeat(ReportFile.MAX_BYTES) + "\"}");
    assertThat(read().problems()).containsExactly("report x.sarif: it has more than 10 MB");
  }

  /** Seen to fail when XML declarations are supported, and when links are followed. */
  @Test
  void t684_no_declaration_and_no_link_is_followed() throws IOException {
    Path secret = write("secret.txt", "the secret");
    write(
        "junit.xml",
        "<!DOCTYPE testsuite [<!ENTITY x SYSTEM \""
            + secret.toUri()
            + "\">]><testsuite><testcase name=\"a\"><failure>&x;</failure></testcase></testsuite>");
    Path elsewhere = Files.createTempFile("report", ".sarif");
    try {
      Files.writeString(elsewhere, RESULT.formatted("error"));
      Files.createSymbolicLink(checkout.resolve("linked.sarif"), elsewhere);
      CiReports reports = read();
      assertThat(reports.content().findings()).noneMatch(it -> it.body().contains("the secret"));
      assertThat(reports.content().findings()).noneMatch(it -> it.title().equals("R: bad"));
    } finally {
      Files.delete(elsewhere);
    }
  }

  /** Seen to fail when warnings beside an error hold the loop. */
  @Test
  void a_warning_holds_only_if_there_is_no_error() throws IOException {
    write("a.sarif", RESULT.formatted("warning"));
    assertThat(read().holds()).isTrue();
    assertThat(read().content().findings().getFirst().severity()).isEqualTo(Severity.MINOR);
    assertThat(read("::error::broken").content().findings())
        .extracting(ReportedFinding::severity)
        .containsExactly(Severity.NIT, Severity.MAJOR);
  }

  @Test
  void notes_alone_do_not_hold() throws IOException {
    write("a.sarif", RESULT.formatted("note"));
    assertThat(read().holds()).isFalse();
  }

  @Test
  void the_same_finding_in_two_reports_counts_once_and_more_than_fifty_are_counted()
      throws IOException {
    write("a.sarif", RESULT.formatted("error"));
    write("b.sarif", RESULT.formatted("error"));
    assertThat(titles()).hasSize(1);
    write(
        "junit.xml",
        "<testsuites><testsuite>"
            + "<testcase name=\"t\"><error/></testcase>".repeat(60)
            + "</testsuite></testsuites>");
    assertThat(read().content().omitted()).isGreaterThanOrEqualTo(10);
  }

  @Test
  void an_xml_file_that_is_no_report_of_tests_says_nothing() throws IOException {
    write("reports/checkstyle.xml", "<checkstyle><error message=\"x\"/></checkstyle>");
    assertThat(read().content().isEmpty()).isTrue();
    assertThat(read().problems()).isEmpty();
  }
}
