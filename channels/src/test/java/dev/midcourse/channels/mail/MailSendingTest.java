package dev.midcourse.channels.mail;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.connection.ProcessLocks;
import dev.midcourse.channels.fixture.MapConfig;
import dev.midcourse.channels.fixture.MemoryState;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is known about a mail after each way in which a server can answer. */
class MailSendingTest {
  @TempDir Path folder;

  /** Sends a mail to a server that answers one command with this line; an empty one cuts. */
  private SendResult sendTo(String command, String answer) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread serving = Thread.ofVirtual().start(() -> serve(server, command, answer));
      SendResult result = send(server.getLocalPort());
      server.close();
      serving.join();
      return result;
    }
  }

  private SendResult send(int port) {
    MapConfig config =
        MapConfig.of(
            "post",
            Map.of(
                "address", Mails.BOT,
                "imap", "localhost:1",
                "smtp", "127.0.0.1:" + port,
                "imap_security", "none",
                "smtp_security", "none",
                "password", "the-password"));
    return new MailKind()
        .open(
            config,
            new ChannelContext(
                InstantSource.system(), new MemoryState(), new ProcessLocks(), folder))
        .send(
            OutboundId.of("out-1"),
            new ChannelRequest.SendText(
                new ChatAddress(ChannelName.of("post"), Mails.ANN, Optional.empty()),
                "Hello",
                Optional.empty()));
  }

  private static void serve(ServerSocket server, String command, String answer) {
    try (Socket socket = server.accept();
        BufferedReader in =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII))) {
      write(socket, "220 ready");
      boolean inData = false;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (inData && !line.equals(".")) {
          continue;
        }
        String name = inData ? "." : line.split(" ", 2)[0].toUpperCase(java.util.Locale.ROOT);
        inData = false;
        if (name.equals(command)) {
          if (answer.isEmpty()) {
            return;
          }
          write(socket, answer);
          continue;
        }
        switch (name) {
          case "EHLO" -> write(socket, "250-here\r\n250 AUTH PLAIN");
          case "AUTH" -> write(socket, "235 welcome");
          case "DATA" -> {
            write(socket, "354 go on");
            inData = true;
          }
          case "QUIT" -> write(socket, "221 bye");
          default -> write(socket, "250 ok");
        }
      }
    } catch (IOException closed) {
      // the client has gone
    }
  }

  private static void write(Socket socket, String line) throws IOException {
    socket.getOutputStream().write((line + "\r\n").getBytes(US_ASCII));
    socket.getOutputStream().flush();
  }

  /** Seen to fail when a permanent refusal is tried again. */
  @Test
  void the_answer_of_the_server_says_what_is_known() throws Exception {
    assertThat(sendTo("NOTHING", "")).isInstanceOf(SendResult.Sent.class);
    assertThat(sendTo("RCPT", "450 busy")).isInstanceOf(SendResult.RetryAfter.class);
    assertThat(sendTo("RCPT", "550 unknown user")).isInstanceOf(SendResult.Refused.class);
    assertThat(sendTo("MAIL", "421 later")).isInstanceOf(SendResult.RetryAfter.class);
    assertThat(sendTo(".", "452 disk full")).isInstanceOf(SendResult.RetryAfter.class);
    assertThat(sendTo(".", "554 spam")).isInstanceOf(SendResult.Refused.class);
    assertThat(sendTo("AUTH", "535 wrong")).isInstanceOf(SendResult.RetryAfter.class);
  }

  /** Seen to fail when a cut connection is taken for a failure that may be tried again. */
  @Test
  void t418_a_connection_that_is_cut_after_the_mail_leaves_its_end_unknown() throws Exception {
    assertThat(sendTo(".", "")).isInstanceOf(SendResult.Unknown.class);
  }
}
