package dev.midcourse.proof.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An idle hub ends by itself. The next question starts one, whatever it asks for. */
@Tag("terminal")
class HubAsleepTest {
  @TempDir Path folder;
  private TerminalFixture terminal;

  @BeforeEach
  void sit_down() throws Exception {
    assumeTrue(Pane.possible(), "tmux is missing");
    terminal = TerminalFixture.open(folder, folder.resolve("work"), "");
    terminal.type("midcourse run --agent rehearsal --id yesterday '$ true'");
  }

  @AfterEach
  void leave() throws Exception {
    if (terminal != null) {
      terminal.close();
    }
  }

  /** Seen to fail when these commands only connect to a hub that runs. */
  @Test
  void a_question_about_history_starts_a_hub_on_its_last_port() throws Exception {
    String url = terminal.json("midcourse status --json").path("url").asString();
    for (String question :
        new String[] {
          "midcourse ps --all",
          "midcourse show yesterday",
          "midcourse logs yesterday",
          "midcourse attach yesterday",
          "midcourse status"
        }) {
      terminal.type("midcourse shutdown");
      assertThat(terminal.run("midcourse status --no-start").code()).isEqualTo(3);
      assertThat(terminal.type(question)).isNotEmpty();
    }
    assertThat(terminal.json("midcourse status --json").path("url").asString()).isEqualTo(url);
  }

  /** Seen to fail when midcourse mcp only connects to a hub that runs. */
  @Test
  void a_lead_agent_gets_its_tools_after_the_hub_has_gone() throws Exception {
    terminal.type("midcourse shutdown");
    String list = "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/list\"}\\n";
    String await = "until [ \"$(wc -l <answers)\" -ge %d ]; do sleep 0.1; done; ";
    terminal.type(
        ": >answers; { printf '"
            + list.formatted(1)
            + "'; "
            + await.formatted(1)
            + "midcourse shutdown >&2; printf '"
            + list.formatted(2)
            + "'; "
            + await.formatted(2)
            + "} | midcourse mcp >>answers");
    String answers = terminal.type("cat answers");
    assertThat(answers.lines()).hasSize(2).allMatch(line -> line.contains("answer_ask"));
  }
}
