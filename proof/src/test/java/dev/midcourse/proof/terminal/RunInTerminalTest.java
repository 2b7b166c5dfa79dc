package dev.midcourse.proof.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run at a real terminal: a typed line is a steer, and detaching does not stop the run. */
@Tag("terminal")
class RunInTerminalTest {
  private static final String RUN =
      "midcourse run --agent rehearsal --id %s \"$(printf 'Work 日本.\\n%%s' \"$(yes '$ sleep 1' | head -3000)\")\"";

  private static final Duration LONG = Duration.ofMinutes(2);

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

  @Test
  void a_typed_line_is_a_steer_that_climbs_and_ctrl_c_asks_before_it_stops() throws Exception {
    Pane pane = terminal.terminal(80, 24, RUN.formatted("typed"));
    pane.awaits("turn 1 ·");
    pane.type("use tabs 📖");
    pane.press("Enter");
    pane.awaits("injected ·");
    assertThat(pane.all())
        .containsSubsequence(
            "Type to steer", "> use tabs 📖", "stored", "offered ·", "accepted ·", "injected ·");

    pane.type("/help");
    pane.press("Enter");
    pane.awaits("/interrupt TEXT");
    pane.type("/nonsense");
    pane.press("Enter");
    pane.awaits("unknown command /nonsense");

    pane.press("C-c");
    pane.awaits("Press Ctrl-C again to stop the run");
    pane.type("words nobody sends");
    pane.press("C-c");
    assertThat(pane.awaits("left with 13")).contains("stopped after");
    assertThat(pane.awaits("\necho")).contains("\nicanon").doesNotContain("-echo");
  }

  /**
   * Covers the client, the hub that it starts, and the agent of that hub. Seen to fail when the
   * launcher keeps the locale, and when the agent gets LANG as the hub has it.
   */
  @Test
  void text_is_utf_8_in_the_c_locale() throws Exception {
    Pane pane =
        terminal.terminal(80, 24, "export LC_ALL=C LANG=C\n" + RUN.formatted("plain").strip());
    pane.awaits("turn 1 -");
    pane.type("$ echo \"grüße 📖 $LANG\" >'bücher'");
    pane.press("Enter");
    pane.awaits("injected -");
    assertThat(terminal.json("midcourse show --json plain").path("prompt").asString())
        .startsWith("Work 日本.");
    assertThat(terminal.json("midcourse steers --json plain").get(0).path("text").asString())
        .contains("grüße 📖");
    Path books = folder.resolve("work/bücher");
    await().atMost(LONG).until(() -> Files.exists(books) && Files.size(books) > 0);
    assertThat(books).content().isEqualTo("grüße 📖 C.UTF-8\n");
  }

  @Test
  void after_detach_the_run_continues_and_can_be_attached_again() throws Exception {
    Pane first = terminal.terminal(80, 24, RUN.formatted("left"));
    first.awaits("turn 1 ·");
    first.type("/follow-up write the notes");
    first.press("Enter");
    first.awaits("stored (follow-up)");
    first.press("C-d");
    assertThat(first.awaits("left with 0")).contains("Attach again: midcourse attach left");

    Pane second = terminal.terminal(50, 15, "midcourse attach left");
    second.awaits("turn 1 ·");
    second.type("/interrupt stop that");
    second.press("Enter");
    second.awaits("left with 0");
    assertThat(second.all())
        .containsSubsequence(
            "interrupting turn 1", "turn 2", "done after", "stop that", "write the");
  }
}
