package dev.midcourse.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.live.PromptTerminal.Input;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.junit.jupiter.api.Test;

class PromptTerminalTest {
  /** Seen to fail when the owner is interrupted although it does not read. */
  @Test
  void the_end_of_a_run_interrupts_no_request_of_the_thread_that_reads() throws Exception {
    try (PromptTerminal terminal = open()) {
      Thread listener = new Thread(terminal::end);
      listener.start();
      listener.join();
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
      assertThat(terminal.read()).isEqualTo(new Input.Closed(""));
    }
  }

  private static PromptTerminal open() throws IOException {
    Terminal terminal =
        TerminalBuilder.builder()
            .system(false)
            .type("xterm")
            .encoding(StandardCharsets.UTF_8)
            .streams(InputStream.nullInputStream(), OutputStream.nullOutputStream())
            .build();
    return new PromptTerminal(terminal);
  }
}
