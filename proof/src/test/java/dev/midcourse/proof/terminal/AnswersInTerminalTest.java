package dev.midcourse.proof.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.proof.repository.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers as people type them, at real terminals of several widths. */
@Tag("terminal")
class AnswersInTerminalTest {
  @TempDir Path folder;
  private TerminalFixture terminal;

  @BeforeEach
  void sit_down() throws Exception {
    assumeTrue(Pane.possible(), "tmux is missing");
    terminal = TerminalFixture.open(folder, folder.resolve("work"), "");
  }

  @AfterEach
  void leave() throws Exception {
    if (terminal != null) {
      terminal.close();
    }
  }

  /** Starts a run that asks once, and makes a file when it may. */
  private void ask(String run) throws Exception {
    terminal.type(
        ("midcourse run --detach --agent rehearsal --id %1$s --dir . \"$(printf 'Prepare the release.\\n"
                + "$ echo first step\\n? Push to main\\n$ touch %1$s.pushed\\n')\"")
            .formatted(run));
    terminal.type("until midcourse next --quiet | grep -qx %s; do sleep 0.1; done".formatted(run));
  }

  private Shell.Result answer(String run, String words) throws Exception {
    return terminal.run("midcourse answer %s %s".formatted(run, words));
  }

  private boolean pushed(String run) {
    return Files.exists(folder.resolve("work").resolve(run + ".pushed"));
  }

  private void awaitEnd(String run) throws Exception {
    terminal.type("midcourse attach %s >/dev/null 2>&1".formatted(run));
  }

  /** Seen to fail when every word but allow is a denial with exit code 0. */
  @Test
  void answer_takes_what_people_type_and_refuses_the_rest() throws Exception {
    ask("first");
    for (String words : new String[] {"alow", "''", "'  '", "maybe", "yes but only the docs"}) {
      Shell.Result refused = answer("first", words);
      assertThat(refused.code()).as(words).isEqualTo(2);
      assertThat(refused.all()).contains("nothing was sent").contains("allow (yes, y, ok)");
    }
    assertThat(answer("first", "alow").all()).contains("did you mean 'allow'?");
    assertThat(terminal.type("midcourse next --quiet")).isEqualTo("first\n");
    assertThat(answer("first", "yes").out()).isEqualTo("ask-1 answered: allow\n");
    awaitEnd("first");
    assertThat(pushed("first")).isTrue();

    for (String words : new String[] {"Allow", "y"}) {
      String run = "allowed-by-" + words;
      ask(run);
      assertThat(answer(run, words).out()).isEqualTo("ask-1 answered: allow\n");
      awaitEnd(run);
      assertThat(pushed(run)).as(words).isTrue();
    }

    ask("third");
    assertThat(answer("third", "No, use a branch").out())
        .isEqualTo("ask-1 answered: deny: use a branch\n");
    awaitEnd("third");
    assertThat(pushed("third")).isFalse();

    ask("fourth");
    assertThat(answer("fourth", "no").out()).isEqualTo("ask-1 answered: deny: a person said no\n");
    awaitEnd("fourth");
    assertThat(pushed("fourth")).isFalse();
  }

  /** Seen to fail when the table of runs was wider than 60 columns with a usual id. */
  @ParameterizedTest
  @ValueSource(ints = {60, 80, 120})
  void ps_has_one_row_for_each_run_and_says_what_it_needs(int columns) throws Exception {
    ask("push-the-release-of-today-a7k2");
    Pane pane = terminal.terminal(columns, 20, "midcourse ps");
    pane.awaits("left with 0");
    assertThat(pane.screen().lines().filter(line -> line.contains("push-the-rel")).findFirst())
        .hasValueSatisfying(
            line -> assertThat(line).contains("running").endsWith("permission request"));
  }

  /** Seen to fail when the view learns of a question only from an event that comes later. */
  @Test
  void attach_shows_what_happened_the_open_question_and_how_to_answer_it() throws Exception {
    ask("release");
    Pane pane = terminal.terminal(60, 20, "midcourse attach release");
    pane.awaits("waiting for approval (/allow or /deny)");
    assertThat(pane.all())
        .containsSubsequence(
            "release running, waiting for approval",
            "echo first step",
            "permission request (ask-1): Push to main",
            "/allow allows it, /deny [REASON] denies it");

    // Only words that answer are held back; they are no steers, and an empty line is nothing.
    pane.press("Enter");
    pane.type("yes");
    pane.press("Enter");
    pane.awaits("Not sent: type /allow or /deny");
    pane.type("/answer alow");
    pane.press("Enter");
    pane.awaits("did you mean 'allow'?");
    assertThat(pane.all().lines()).as("broken between words").contains("send it as a steer");
    pane.type("/alow");
    pane.press("Enter");
    pane.awaits("unknown command /alow");
    pane.press("C-c");
    pane.awaits("Press Ctrl-C again to stop the run");
    assertThat(terminal.type("midcourse steers release")).doesNotContain("yes");
    assertThat(pushed("release")).isFalse();

    pane.type("/Allow");
    pane.press("Enter");
    pane.awaits("left with 0");
    assertThat(pane.all()).containsSubsequence("ask-1 answered: allow", "done after");
    assertThat(pushed("release")).isTrue();
  }

  /** Seen to fail when the terminal raises a signal for the key that it also passes on. */
  @Test
  void a_press_of_ctrl_c_counts_once() throws Exception {
    ask("pressed");
    Pane pane = terminal.terminal(80, 20, "midcourse attach pressed");
    pane.awaits("waiting for approval (/allow or /deny)");
    for (int press = 1; press <= 3; press++) {
      // The reader waits a second for the rest of the key, and goes on to read on another thread.
      pane.press("Escape");
      Thread.sleep(1_500);
      pane.press("C-c");
      pane.type("/again" + press + "."); // a typed line takes the press back
      pane.press("Enter");
      pane.awaits("unknown command /again" + press + ".");
    }
    assertThat(pane.all()).contains("Press Ctrl-C again").doesNotContain("stop requested");
    pane.press("C-c", "C-c");
    pane.awaits("stopped after");
  }

  /** A paste of several lines is one steer and never an answer, whatever its lines say. */
  @Test
  void a_paste_is_a_steer_and_never_an_answer() throws Exception {
    ask("pasted");
    Pane pane = terminal.terminal(100, 24, "midcourse attach pasted");
    pane.awaits("(/allow or /deny)");
    pane.paste("take a branch\nyes\nallow");
    pane.awaits("allow");
    pane.press("Enter");
    pane.awaits("stored");
    assertThat(terminal.json("midcourse steers --json pasted").get(0).path("text").asString())
        .isEqualTo("take a branch\nyes\nallow");
    pane.type("/deny not on main");
    pane.press("Enter");
    pane.awaits("left with 0");
    assertThat(pane.all()).contains("ask-1 answered: deny: not on main");
    assertThat(pushed("pasted")).isFalse();
  }

  @Test
  void watch_asks_before_it_answers_and_takes_a_reason_for_a_denial() throws Exception {
    ask("watched");
    Pane pane = terminal.terminal(100, 24, "midcourse watch");
    pane.awaits("watched");
    pane.press("a");
    pane.awaits("deny with a reason");
    assertThat(pane.screen()).contains("Push to main").contains("y allow").contains("n deny");
    pane.press("t");
    pane.awaits("deny watched, reason");
    pane.type("yes");
    pane.press("Enter");
    pane.awaits("watched answered: deny: yes");
    awaitEnd("watched");
    assertThat(pushed("watched")).isFalse();
    pane.press("q");
    pane.awaits("left with 0");
  }
}
