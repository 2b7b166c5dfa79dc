package dev.midcourse.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.Width;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The full-screen view in a real terminal, with a real hub and agents to steer. */
@Tag("terminal")
class WatchInTerminalTest {
  private static final String BUSY = "Work 日本 📖.\n" + "$ sleep 1\n".repeat(300);

  @TempDir Path data;

  @BeforeAll
  static void needs_tmux() {
    assumeTrue(Pane.possible(), "tmux is missing");
  }

  /** The view, and behind it what can be seen of the terminal once it is left. */
  private String script() {
    String command =
        RealHub.program(
                data, List.of("watch"), "-Dmidcourse.terminals=ioeu", "-Dmidcourse.size=24 80")
            .stream()
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" "));
    return """
    export TERM=screen-256color
    echo what was there before
    (echo $BASHPID >'%s'; exec %s)
    echo "left with $?"
    stty -a | grep -o -w -e '-*icanon' -e '-*echo'
    exec sleep 1000
    """
        .formatted(data.resolve("pid"), command);
  }

  @Test
  void a_person_chooses_steers_sees_the_rung_climb_stops_and_leaves() throws Exception {
    try (RealHub hub = RealHub.start(data)) {
      hub.run("first", BUSY);
      hub.run("second", BUSY);
      try (Pane pane = Pane.open(data, 80, 24, script())) {
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
        assertThat(pane.screen().lines()).hasSize(15).allMatch(line -> Width.of(line) <= 60);

        hub.kill();
        pane.awaits("the hub is away");
        hub.startAgain();
        pane.awaits("the hub is back");

        pane.press("x");
        pane.awaits("Stop first?");
        pane.press("y");
        pane.awaits("── first stopped");

        pane.press("q");
        assertThat(pane.awaits("left with 0"))
            .contains("what was there before")
            .doesNotContain("midcourse  ");
        assertThat(pane.awaits("\nicanon")).contains("\necho").doesNotContain("-echo");
      }
      assertThat(hub.typist().type("show", "first").out()).contains("stopped");
      assertThat(hub.typist().type("show", "second").out()).contains("running");
    }
  }

  @Test
  void a_view_that_is_terminated_leaves_the_terminal_as_it_was() throws Exception {
    try (RealHub hub = RealHub.start(data);
        Pane pane = Pane.open(data, 80, 24, script())) {
      pane.awaits("no runs yet");
      long pid = Long.parseLong(Files.readString(data.resolve("pid")).strip());
      ProcessHandle.of(pid).orElseThrow().destroy();
      assertThat(pane.awaits("left with ")).contains("what was there before");
      assertThat(pane.awaits("\nicanon")).contains("\necho").doesNotContain("-echo");
      assertThat(hub.typist().type("status").code()).isEqualTo(ExitCode.DONE);
    }
  }

  @Test
  void without_a_terminal_it_says_what_to_use_instead() {
    Typist.Typed typed = Typist.in(data).type("watch");
    assertThat(typed.code()).isEqualTo(ExitCode.USAGE);
    assertThat(typed.err()).contains("watch needs a terminal").contains("midcourse ps");
  }
}
