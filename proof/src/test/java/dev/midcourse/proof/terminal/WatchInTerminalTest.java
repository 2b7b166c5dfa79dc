package dev.midcourse.proof.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.cli.screen.DisplayWidth;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The full-screen view in a real terminal, with a real hub and agents to steer. */
@Tag("terminal")
class WatchInTerminalTest {
  private static final String BUSY = "Work 日本 📖.\n" + "$ sleep 1\n".repeat(3_000);

  @TempDir Path folder;

  @BeforeAll
  static void needs_tmux() {
    assumeTrue(Pane.possible(), "tmux is missing");
  }

  @Test
  void a_person_chooses_steers_sees_the_rung_climb_stops_and_leaves() throws Exception {
    try (TerminalFixture terminal = TerminalFixture.open(folder, folder.resolve("work"), "")) {
      terminal.rehearse("first", BUSY);
      terminal.rehearse("second", BUSY);
      Pane pane = terminal.terminal(80, 24, "midcourse watch");
      pane.awaits("── second running");
      pane.press("j");
      pane.awaits("── first running");

      pane.press("s");
      pane.awaits("steer first ▸");
      pane.type("use tabs 📖, not spaces");
      pane.awaits("📖, not spaces");
      pane.press("Enter");
      assertThat(pane.awaits("injected  use tabs")).contains("●●●●○○ injected");

      pane.resize(60, 15);
      pane.awaits("q quit");
      assertThat(pane.screen().lines()).hasSize(15).allMatch(line -> DisplayWidth.of(line) <= 60);

      terminal.killHub();
      pane.awaits("disconnected; reconnecting");
      terminal.rehearse("third", BUSY);
      pane.awaits("reconnected to the hub");

      pane.press("x");
      pane.awaits("Stop first?");
      pane.press("y");
      pane.awaits("── first stopped");

      pane.press("q");
      assertThat(pane.awaits("left with 0"))
          .contains("what was there before")
          .doesNotContain("midcourse  ");
      assertThat(pane.awaits("\necho")).contains("\nicanon").doesNotContain("-echo");
      assertThat(terminal.type("midcourse show first")).contains("stopped");
      assertThat(terminal.type("midcourse show second")).contains("running");
    }
  }

  /** A loop that waits for a review is steered, its findings are looked at, and it is stopped. */
  @Test
  void loops_are_listed_and_the_prompt_says_where_a_steer_goes() throws Exception {
    try (TerminalFixture terminal = TerminalFixture.open(folder, folder.resolve("work"), "")) {
      String git = "git -c user.name=A -c user.email=a@localhost ";
      terminal.type("git init -q -b main . && " + git + "commit -q --allow-empty -m First");
      Files.writeString(
          folder.resolve("work/task.txt"),
          "Write it.\n$ echo one > one.txt; git add -A; " + git + "commit -qm One\n");
      terminal.type(
          "midcourse autopilot --detach --agent rehearsal --reviewer me --repo . -f task.txt");
      Pane pane = terminal.terminal(120, 30, "midcourse watch");
      pane.awaits("q quit");
      pane.press("l");
      pane.awaits("your review");
      pane.press("N");
      pane.awaits("next, held for fix 1 ▸");
      pane.type("use tabs");
      pane.press("Enter");
      pane.awaits("held for fix 1: use tabs");
      pane.press("F");
      pane.awaits("no findings");
      pane.press("Escape");
      pane.awaits("a steer now: held for fix 1");
      pane.resize(80, 24);
      pane.awaits("c go on");
      assertThat(pane.screen().lines()).hasSize(24).allMatch(line -> DisplayWidth.of(line) <= 80);
      pane.press("x");
      pane.awaits("Stop write-it");
      pane.press("y");
      pane.awaits("is stopped");
      pane.press("Escape");
      pane.awaits("q quit");
      pane.press("q");
      pane.awaits("left with 0");
    }
  }

  @Test
  void a_view_that_is_terminated_leaves_the_terminal_as_it_was() throws Exception {
    try (TerminalFixture terminal = TerminalFixture.open(folder, folder.resolve("work"), "")) {
      terminal.rehearse("only", BUSY);
      Path pid = folder.resolve("pid");
      Pane pane =
          terminal.terminal(80, 24, "(echo $BASHPID >'%s'; exec midcourse watch)".formatted(pid));
      pane.awaits("── only running");
      ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow().destroy();
      assertThat(pane.awaits("left with ")).contains("what was there before");
      assertThat(pane.awaits("\necho")).contains("\nicanon").doesNotContain("-echo");
      terminal.type("midcourse status");
    }
  }
}
