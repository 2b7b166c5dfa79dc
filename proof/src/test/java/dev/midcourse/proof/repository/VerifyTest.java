package dev.midcourse.proof.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The last line of verify for every result of Maven. A script replaces Maven and the launcher. */
@Tag("slow")
class VerifyTest {
  @TempDir Path folder;
  private Path clone;

  @BeforeEach
  void a_clone_with_one_module() throws Exception {
    clone = Files.createDirectories(folder.resolve("a clone"));
    Shell.Result copied = Shell.in(Clone.ROOT).run("cp -R verify build '" + clone + "'");
    assertThat(copied.code()).as(copied.all()).isZero();
    program(clone.resolve("midcourse"), "exit 0");
  }

  @Test
  void all_passed_is_green() throws Exception {
    maven(report(""), "exit 0");

    assertEndsWith("2 passed, 0 failed, 0 skipped", 0);
  }

  @Test
  void a_failure_is_reported_in_full_and_is_red_though_maven_is_content() throws Exception {
    maven(
        report(
            "<testcase classname='dev.A' name='breaks'><failure>1 is not 2</failure></testcase>"),
        "exit 0");

    assertThat(assertEndsWith("2 passed, 1 failed, 0 skipped", 1).out())
        .contains("dev.A.breaks")
        .contains("1 is not 2");
  }

  @Test
  void a_skipped_test_says_why() throws Exception {
    maven(
        report(
            """
            <testcase classname='dev.A' name='waits'><skipped>org.opentest4j.TestAbortedException: \
            Assumption failed: tmux is missing
              at a line</skipped></testcase>
            """),
        "exit 0");

    assertThat(assertEndsWith("2 passed, 0 failed, 1 skipped", 0).out())
        .contains("dev.A.waits: tmux is missing\n");
  }

  /** Seen to fail when such a skip is only listed. */
  @Test
  void a_skipped_test_without_a_reason_is_red() throws Exception {
    maven(
        report(
            """
            <testcase classname='dev.A' name='none'><skipped/></testcase>
            <testcase classname='dev.A' name='empty'><skipped>org.opentest4j.TestAbortedException: \
            Assumption failed: assumption is not true
              at a line</skipped></testcase>
            """),
        "exit 0");

    assertThat(assertEndsWith("2 passed, 2 failed, 0 skipped", 1).out())
        .contains("dev.A.none was skipped without a reason\n")
        .contains("dev.A.empty was skipped without a reason\n");
  }

  @Test
  void the_slowest_test_classes_are_listed() throws Exception {
    maven(
        """
        for i in {1..12}; do
          echo "<testsuite name='dev.Test$i' time='$i.04'><testcase classname='dev.Test$i' name='works'/></testsuite>" \
            >core/target/surefire-reports/TEST-dev.Test$i.xml
        done
        """,
        "exit 0");

    assertThat(assertEndsWith("12 passed, 0 failed, 0 skipped", 0).out())
        .containsSubsequence("12.0 s  dev.Test12\n", "11.0 s  dev.Test11\n", "3.0 s  dev.Test3\n")
        .doesNotContain("dev.Test2\n");
  }

  @Test
  void a_maven_that_dies_midway_is_red() throws Exception {
    maven(report(""), "kill -KILL $$");

    assertThat(assertEndsWith("2 passed, 1 failed, 0 skipped", 1).out()).contains("137");
  }

  @Test
  void a_test_process_that_dies_is_red() throws Exception {
    maven(report(""), "echo '[ERROR] The forked VM terminated without properly saying goodbye'");

    assertEndsWith("2 passed, 1 failed, 0 skipped", 1);
  }

  @Test
  void half_a_report_is_red() throws Exception {
    maven("echo '<testsuite><testcase' >core/target/surefire-reports/TEST-dev.A.xml", "exit 0");

    assertEndsWith("0 passed, 1 failed, 0 skipped", 1);
  }

  @Test
  void no_test_at_all_is_red() throws Exception {
    maven("", "exit 0");

    assertEndsWith("0 passed, 0 failed, 0 skipped", 1);
  }

  @Test
  void reports_of_an_earlier_run_do_not_count() throws Exception {
    maven(report(""), "exit 0");
    assertEndsWith("2 passed, 0 failed, 0 skipped", 0);

    maven("", "exit 1");

    assertEndsWith("0 passed, 1 failed, 0 skipped", 1);
  }

  /** Seen to fail when verify does not search for left processes. */
  @Test
  void a_program_that_a_test_has_left_behind_is_red() throws Exception {
    Path left = clone.resolve("core/target/classes/left");
    program(left, "echo $$ >left.pid\nfor i in {1..6000}; do sleep 0.1; done");
    maven(
        report(""), "'" + left + "' >/dev/null 2>&1 &\nuntil [ -s left.pid ]; do sleep 0.05; done");
    try {
      assertThat(assertEndsWith("2 passed, 1 failed, 0 skipped", 1).out()).contains("still alive:");
    } finally {
      Shell.in(clone).run("kill -KILL $(cat left.pid)");
    }
  }

  @Test
  void a_hostile_run_counts_each_condition_and_ends_what_it_starts() throws Exception {
    maven(
        report(""),
        """
        case "$*" in *test-compile*) exit ;; esac
        touch cores
        if [ $(($(wc -l <cores) % 2)) = 0 ]; then # load; a loop is found when its program has begun
          until [ "$(pgrep -cf "$PWD/build/busy-loop")" = 2 ]; do sleep 0.05; done
        fi
        pgrep -cf "$PWD/build/busy-loop" >>loops
        taskset -cp $$ >>cores
        """);

    Shell.Result result =
        assertEndsWith("8 passed, 0 failed, 0 skipped", 0, "--hostile load one-core --times 2");

    assertThat(result.out()).contains("hostile  load").contains("hostile  one-core");
    assertThat(clone.resolve("loops")).hasContent("2\n0\n2\n0");
    assertThat(Files.readAllLines(clone.resolve("cores")).get(1)).matches(".*: [0-9]+");
    assertThat(Shell.in(clone).run("pgrep -f \"$PWD/build/busy-loop\"").out()).isEmpty();
  }

  @Test
  void only_names_modules_and_test_classes() throws Exception {
    maven(report(""), "echo \"$*\" >words");

    assertEndsWith("2 passed, 0 failed, 0 skipped", 0, "--only ledger --only hub");
    assertThat(clone.resolve("words"))
        .content()
        .contains("-Dtest=dev/midcourse/ledger/**/*Test,dev/midcourse/hub/**/*Test")
        .contains("--projects ledger,hub --also-make");
    assertEndsWith("2 passed, 0 failed, 0 skipped", 0, "--only ledger --only SomeTest");
    assertThat(clone.resolve("words"))
        .content()
        .contains("-Dtest=dev/midcourse/ledger/**/*Test,SomeTest")
        .doesNotContain("--projects");
  }

  private Shell.Result assertEndsWith(String lastLine, int code)
      throws IOException, InterruptedException {
    return assertEndsWith(lastLine, code, "");
  }

  private Shell.Result assertEndsWith(String lastLine, int code, String options)
      throws IOException, InterruptedException {
    Shell.Result result =
        Shell.in(clone)
            .with("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"))
            .run("./verify --quick " + options);
    assertThat(result.out().lines().toList().getLast()).as(result.all()).isEqualTo(lastLine);
    assertThat(result.code()).isEqualTo(code);
    return result;
  }

  private static String report(String more) {
    return """
    cat >core/target/surefire-reports/TEST-dev.A.xml <<'END'
    <testsuite>
      <testcase classname="dev.A" name="works"/>
      <testcase classname="dev.A" name="works_too"/>
      %s
    </testsuite>
    END
    """
        .formatted(more);
  }

  /** Creates a fake Maven that writes a report for the tests and then ends. */
  private void maven(String report, String end) throws IOException {
    program(
        folder.resolve("bin/mvn"),
        """
        case "$*" in
          -version) echo Apache Maven 3.9.9; exit ;;
          *spotless:check*) exit ;;
        esac
        mkdir -p core/target/surefire-reports
        %s
        %s
        """
            .formatted(report, end));
  }

  private static void program(Path file, String script) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/usr/bin/env bash\n" + script + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }
}
