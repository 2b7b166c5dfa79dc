package dev.midcourse.proof.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The catalogue of failures is complete, and its page matches the tests; otherwise the build fails.
 */
@Tag("slow")
class ConformanceTest {
  @TempDir Path clone;

  @BeforeEach
  void a_clone_with_one_failure_and_one_test() throws Exception {
    Shell.Result copied = Shell.in(Clone.ROOT).run("cp -R build '" + clone + "'");
    assertThat(copied.code()).as(copied.all()).isZero();
    write(
        "proof/conformance.txt",
        """
        T1
        elsewhere: It was lost.
        promise: It is not lost,
          whatever comes.
        T2
        elsewhere: It rained in.
        not here: there is no roof.
        """);
    source(
        """
        package dev;
        class ATest {
          /** Seen to fail when it rains. */
          @Test
          void tt01_nothing_is_lost() {}
        }
        """);
    report("<testcase classname='dev.ATest' name='t01_nothing_is_lost'/>");
    Files.createDirectories(clone.resolve("docs"));
  }

  @Test
  void the_written_page_is_the_checked_page() throws Exception {
    assertThat(conformance("write").code()).isZero();

    assertThat(conformance("check").code()).isZero();
    assertThat(Files.readString(clone.resolve("docs/conformance.md")))
        .contains(
            "| T1 | It was lost. | It is not lost, whatever comes. |"
                + " [nothing is lost](../core/src/test/java/ATest.java) | 1 passed |\n")
        .contains("| T2 | It rained in. | Cannot happen: there is no roof. |  | - |\n");
  }

  @Test
  void a_page_that_is_out_of_date_names_the_command_that_writes_it() throws Exception {
    conformance("write");
    write("docs/conformance.md", "something else");

    assertRed("check", "write it with: java build/Conformance.java . write");
  }

  @Test
  void a_failure_without_a_test_or_a_reason_is_red() throws Exception {
    source("package dev;\nclass ATest {}");

    assertRed("write", "T1 has neither a test nor a line \"not here:\"");
  }

  @Test
  void a_test_that_was_skipped_or_failed_or_did_not_run_shows_nothing() throws Exception {
    for (String outcome : new String[] {"<skipped/>", "<failure/>", "<error/>"}) {
      report(
          "<testcase classname='dev.ATest' name='t01_nothing_is_lost'>" + outcome + "</testcase>");
      assertRed("write", "T1 has no test that passed");
    }
    report("");
    assertRed("write", "T1 has no test that passed");
  }

  /** Seen to fail when a test is identified by its name alone. */
  @Test
  void a_test_of_that_name_in_another_class_shows_nothing() throws Exception {
    report("<testcase classname='dev.BTest' name='t01_nothing_is_lost'/>");

    assertRed("write", "T1 has no test that passed");
  }

  /** Seen to fail when a pass in another class hides the failure. */
  @Test
  void a_test_that_failed_in_one_of_its_classes_is_red() throws Exception {
    a_suite_of_two();
    report(
        "<testcase classname='dev.OneTest' name='t01_nothing_is_lost'/>"
            + "<testcase classname='dev.TwoTest' name='t01_nothing_is_lost'><failure/></testcase>");

    assertRed("write", "t01_nothing_is_lost failed in TwoTest");
    assertRed("check", "t01_nothing_is_lost failed in TwoTest");
  }

  /** Seen to fail when the results are part of the comparison of the page. */
  @Test
  void a_skip_is_reported_and_is_no_reason_to_write_the_page_again() throws Exception {
    a_suite_of_two();
    String one = "<testcase classname='dev.OneTest' name='t01_nothing_is_lost'/>";
    report(
        one + "<testcase classname='dev.TwoTest' name='t01_nothing_is_lost'><skipped/></testcase>");
    assertThat(conformance("write").code()).isZero();
    assertThat(Files.readString(clone.resolve("docs/conformance.md")))
        .contains(
            "[nothing is lost](../core/src/test/java/ATest.java) (OneTest, TwoTest)"
                + " | 1 passed; skipped in TwoTest |\n");

    report(one + "<testcase classname='dev.TwoTest' name='t01_nothing_is_lost'/>");
    assertThat(conformance("check").code()).isZero();
  }

  /**
   * Seen to fail when only the first class of a file is read, and when inner classes are not
   * distinguished.
   */
  @Test
  void a_suite_that_runs_in_inner_classes_is_reported_by_their_files() throws Exception {
    a_suite_of_two();
    String inner =
        """
        package dev;
        class %sTest {
          @Nested
          class The_log extends ATest {
            void open() {}
          }
        }
        """;
    write("core/src/test/java/OneTest.java", inner.formatted("One"));
    write("core/src/test/java/TwoTest.java", inner.formatted("Two"));
    String passed = "<testcase classname='dev.%sTest$The_log' name='t01_nothing_is_lost'/>";
    report(passed.formatted("One") + passed.formatted("Two"));
    assertThat(conformance("write").code()).isZero();
    assertThat(Files.readString(clone.resolve("docs/conformance.md")))
        .contains("ATest.java) (OneTest, TwoTest) | 2 passed |\n");

    report(
        passed.formatted("One") + passed.formatted("Two").replace("/>", "><failure/></testcase>"));
    assertRed("check", "t01_nothing_is_lost failed in TwoTest");
  }

  private void a_suite_of_two() throws IOException {
    source(
        """
        package dev;
        abstract class ATest {
          /** Seen to fail when it rains. */
          @Test
          void tt01_nothing_is_lost() {}
        }
        """);
    write("core/src/test/java/OneTest.java", "package dev;\nfinal class OneTest extends ATest {}");
    write("core/src/test/java/TwoTest.java", "package dev;\nclass TwoTest extends ATest {}");
  }

  @Test
  void an_unknown_number_and_a_test_of_an_excluded_failure_are_errors() throws Exception {
    source(
        "package dev;\nclass ATest { /** Seen to fail when it rains. */ void tt02_tt03_tt01_nothing_is_lost() {}");

    assertRed("write", "T3 is not in proof/conformance.txt");
    assertRed("write", "T2 cannot happen here");
  }

  @Test
  void a_test_that_does_not_say_when_it_was_seen_to_fail_is_red() throws Exception {
    source("/** Seen to fail when it rains. */ void other() {} void tt01_nothing_is_lost() {}");

    assertRed("check", "t01_nothing_is_lost does not say in its comment when it was seen to fail");
  }

  private void assertRed(String how, String why) throws IOException, InterruptedException {
    Shell.Result result = conformance(how);
    assertThat(result.out()).as(result.all()).contains(why);
    assertThat(result.code()).isEqualTo(1);
  }

  private Shell.Result conformance(String how) throws IOException, InterruptedException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    return Shell.in(clone).run("'" + java + "' build/Conformance.java . " + how);
  }

  /** Numbers are written {@code tt01} here, so that this file has no test of that name. */
  private void source(String text) throws IOException {
    write("core/src/test/java/ATest.java", text.replace("tt0", "t0"));
  }

  private void report(String tests) throws IOException {
    write(
        "core/target/surefire-reports/TEST-dev.ATest.xml", "<testsuite>" + tests + "</testsuite>");
  }

  private void write(String name, String text) throws IOException {
    Path file = clone.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
