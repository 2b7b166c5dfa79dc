package dev.midcourse.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.ShellContext;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hub that is there and does not answer, like a suspended process. */
class LateHubTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final String ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{\"groups\":[]}";

  @TempDir Path data;

  private ShellContext shell(ByteArrayOutputStream err) {
    return new ShellContext(
        new ByteArrayInputStream(new byte[0]),
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        ShellContext.Terminals.NONE,
        Map.of(),
        data,
        data,
        Optional.empty(),
        InstantSource.system());
  }

  /** Seen to fail when the deadline of a connection tells nothing before it has passed. */
  @Test
  void a_user_is_reported_which_hub_has_not_answered_and_gets_the_answer_when_it_comes()
      throws Exception {
    Files.writeString(data.resolve("hub.json"), "{\"pid\":4711}");
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    try (ServerSocketChannel hub = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      hub.bind(UnixDomainSocketAddress.of(data.resolve("hub.sock")));
      CompletableFuture<ExitCode> ended =
          CompletableFuture.supplyAsync(() -> Main.run(List.of("groups"), shell(err)));
      await().atMost(LONG).until(() -> err.size() > 0);
      assertThat(err.toString(StandardCharsets.UTF_8))
          .isEqualTo(
              "midcourse: the hub (pid 4711) has not answered for 2 s; still waiting,"
                  + " Ctrl-C to give up\n");
      assertThat(ended).isNotDone();
      answer(hub);
      assertThat(ended).succeedsWithin(LONG).isEqualTo(ExitCode.DONE);
    }
  }

  private static void answer(ServerSocketChannel hub) throws IOException {
    try (SocketChannel client = hub.accept()) {
      client.write(ByteBuffer.wrap(ANSWER.getBytes(StandardCharsets.UTF_8)));
    }
  }
}
