package dev.midcourse.channels.mail;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.fixture.MapConfig;
import dev.midcourse.channels.fixture.MemoryState;
import dev.midcourse.channels.fixture.TestCertificate;
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
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mails to a server of the test with STARTTLS, with a password and with an access token. */
class SmtpTlsTest {
  private static final String SECRET = "the-password";

  @TempDir Path folder;
  private final List<String> plain = new CopyOnWriteArrayList<>();
  private final List<String> encrypted = new CopyOnWriteArrayList<>();

  /** Sends a mail to a server that offers STARTTLS if it has a certificate. */
  private SendResult send(Optional<TestCertificate> certificate, Map<String, String> more)
      throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread serving = Thread.ofVirtual().start(() -> serve(server, certificate));
      Map<String, String> values = new HashMap<>();
      values.put("address", Mails.BOT);
      values.put("imap", "localhost:1");
      values.put("smtp", "localhost:" + server.getLocalPort());
      values.put("smtp_security", "starttls");
      values.put("password", SECRET);
      values.putAll(more);
      SendResult result =
          new MailKind()
              .open(MapConfig.of("post", values), new MemoryState().context(InstantSource.system()))
              .send(
                  OutboundId.of("out-1"),
                  new ChannelRequest.SendText(
                      new ChatAddress(ChannelName.of("post"), Mails.ANN, Optional.empty()),
                      "Hello",
                      Optional.empty()));
      server.close();
      serving.join();
      return result;
    }
  }

  private void serve(ServerSocket server, Optional<TestCertificate> certificate) {
    try (Socket socket = server.accept()) {
      write(socket, "220 ready");
      if (talk(socket, plain, certificate.isPresent() ? "STARTTLS" : "AUTH PLAIN XOAUTH2")) {
        try (SSLSocket secured =
            (SSLSocket)
                certificate
                    .orElseThrow()
                    .server()
                    .getSocketFactory()
                    .createSocket(socket, "localhost", socket.getPort(), true)) {
          secured.setUseClientMode(false);
          talk(secured, encrypted, "AUTH PLAIN XOAUTH2");
        }
      }
    } catch (IOException closed) {
      // the client has gone
    }
  }

  /** Answers commands; returns true when the client wants TLS. */
  private static boolean talk(Socket socket, List<String> commands, String offer)
      throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
    boolean inData = false;
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      commands.add(line);
      if (inData && !line.equals(".")) {
        continue;
      }
      String name = inData ? "." : line.split(" ", 2)[0].toUpperCase(Locale.ROOT);
      inData = name.equals("DATA");
      switch (name) {
        case "EHLO" -> write(socket, "250-here\r\n250 " + offer);
        case "STARTTLS" -> {
          write(socket, "220 begin");
          return true;
        }
        case "AUTH" -> write(socket, "235 welcome");
        case "DATA" -> write(socket, "354 go on");
        case "QUIT" -> write(socket, "221 bye");
        default -> write(socket, "250 ok");
      }
    }
    return false;
  }

  private static void write(Socket socket, String line) throws IOException {
    socket.getOutputStream().write((line + "\r\n").getBytes(US_ASCII));
    socket.getOutputStream().flush();
  }

  private Map<String, String> trusting(TestCertificate certificate) {
    return Map.of("ca_file", certificate.file().toString());
  }

  @Test
  void a_mail_is_sent_after_starttls_and_nothing_before() throws Exception {
    TestCertificate certificate = TestCertificate.of(folder, "localhost");

    assertThat(send(Optional.of(certificate), trusting(certificate)))
        .isInstanceOf(SendResult.Sent.class);

    assertThat(plain).hasSize(2).first().asString().startsWith("EHLO");
    assertThat(plain.getLast()).isEqualTo("STARTTLS");
    assertThat(encrypted).anyMatch(line -> line.startsWith("AUTH"));
  }

  /** Seen to fail when the name in the certificate is not compared with that of the server. */
  @Test
  void t485_a_certificate_for_another_host_and_one_of_nobody_are_refused() throws Exception {
    TestCertificate other = TestCertificate.of(folder, "mail.example.org");

    assertThat(reason(send(Optional.of(other), trusting(other))))
        .contains("the certificate of the server is for another host name");
    assertThat(reason(send(Optional.of(other), Map.of())))
        .contains("is of no authority that is trusted", "ca_file");

    assertThat(plain).allMatch(line -> line.startsWith("EHLO") || line.equals("STARTTLS"));
    assertThat(encrypted).isEmpty();
  }

  /** Seen to fail when STARTTLS is tried and not required. */
  @Test
  void t485_a_server_without_starttls_gets_no_password() throws Exception {
    assertThat(reason(send(Optional.empty(), Map.of()))).containsIgnoringCase("STARTTLS");

    assertThat(plain).noneMatch(line -> line.startsWith("AUTH") || line.startsWith("MAIL"));
  }

  @Test
  void an_access_token_is_sent_in_the_form_of_xoauth2_and_only_over_tls() throws Exception {
    TestCertificate certificate = TestCertificate.of(folder, "localhost");
    Map<String, String> settings = new HashMap<>(trusting(certificate));
    settings.put("login", "xoauth2");
    settings.put("password", "an-access-token");

    assertThat(send(Optional.of(certificate), settings)).isInstanceOf(SendResult.Sent.class);

    String login = encrypted.stream().filter(line -> line.startsWith("AUTH")).findFirst().get();
    assertThat(login).startsWith("AUTH XOAUTH2 ");
    assertThat(new String(Base64.getDecoder().decode(login.substring(13)), UTF_8))
        .isEqualTo("user=" + Mails.BOT + "\1auth=Bearer an-access-token\1\1");
  }

  private static String reason(SendResult result) {
    assertThat(result).isInstanceOf(SendResult.RetryAfter.class);
    return ((SendResult.RetryAfter) result).reason();
  }
}
