package dev.midcourse.proof.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets that people type at a real terminal. */
@Tag("terminal")
class SecretsInTerminalTest {
  private static final String ADD = "midcourse channel add telegram api_url=http://127.0.0.1:9";

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
  void ctrl_c_while_a_token_is_typed_leaves_a_terminal_that_shows_what_is_typed() throws Exception {
    Pane pane = terminal.terminal(100, 30, "trap : INT; " + ADD);
    pane.awaits("\ntoken:");
    pane.type("12345:half-of-it");
    pane.press("C-c");
    pane.awaits("left with");

    assertThat(pane.awaits("\necho").lines()).contains("icanon", "echo");
    assertThat(pane.all()).doesNotContain("half-of-it");
    assertThat(terminal.type("midcourse channel list")).doesNotContain("telegram");
  }

  @Test
  void a_token_is_not_shown_while_it_is_typed() throws Exception {
    Pane pane = terminal.terminal(100, 30, ADD);
    pane.awaits("\ntoken:");
    pane.type("a-wrong-one-of-the-test");
    pane.press("Enter");
    pane.awaits("left with");

    assertThat(pane.all()).doesNotContain("a-wrong-one-of-the-test");
    assertThat(pane.awaits("\necho").lines()).contains("icanon", "echo");
  }
}
