package dev.midcourse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.net.FakeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusTest {
  private static final String HEALTH =
      """
      {"status":"ok","version":"0.1.0","pid":7,"data":"/d","url":"http://127.0.0.1:8787",
       "runs":{},"latency":{}}
      """;
  private static final String LINK =
      "http://127.0.0.1:8787/#token=a-token-that-is-longer-than-the-line";

  @TempDir Path data;

  private Typist.Typed status(String... words) throws IOException {
    Files.writeString(data.resolve("token"), "a-token-that-is-longer-than-the-line\n");
    String answer = FakeServer.answer(200, HEALTH);
    try (FakeServer server = FakeServer.saying(data.resolve("hub.sock"), answer)) {
      return Typist.in(data).watching(40).type(words);
    }
  }

  @Test
  void the_link_to_the_page_is_printed_whole_however_narrow_the_terminal() throws IOException {
    Typist.Typed typed = status("status");
    assertThat(typed.code()).as(typed.all()).isEqualTo(ExitCode.DONE);
    assertThat(typed.out()).contains(LINK);
  }

  @Test
  void a_program_that_reads_the_status_does_not_get_the_token_by_the_way() throws IOException {
    assertThat(status("status", "--json").out()).doesNotContain("token");
  }
}
