package dev.midcourse.channels.mail;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.fixture.MapConfig;
import dev.midcourse.channels.fixture.MemoryState;
import dev.midcourse.channels.fixture.RecordingListener;
import dev.midcourse.channels.fixture.RecordingProxy;
import dev.midcourse.channels.fixture.TestCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logins to a real Dovecot with STARTTLS. A proxy keeps what the channel sends. */
@Tag("setup")
class ImapTlsTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final String TOKEN_SECRET = "the-secret-that-signs-access-tokens";

  @TempDir Path folder;
  private final RecordingListener listener = RecordingListener.likeTheLedger();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  private Dovecot server(String settings) throws Exception {
    Dovecot server = new Dovecot(folder, settings);
    open.add(server);
    return server;
  }

  private static String tls(TestCertificate certificate) {
    return "ssl = required\nssl_cert = <%s\nssl_key = <%s\n"
        .formatted(certificate.file(), certificate.key());
  }

  private RecordingProxy proxy(Dovecot server) {
    RecordingProxy proxy = new RecordingProxy(server.port());
    open.add(proxy);
    return proxy;
  }

  private Channel channel(RecordingProxy proxy, Map<String, String> more) {
    Map<String, String> values = new HashMap<>();
    values.put("address", Mails.BOT);
    values.put("imap", "localhost:" + proxy.port());
    values.put("smtp", "localhost:1");
    values.put("imap_security", "starttls");
    values.put("password", Dovecot.PASSWORD);
    values.put("authserv_id", "mx.example.org");
    values.put("poll", "PT2S");
    values.putAll(more);
    Channel channel =
        new MailKind()
            .open(MapConfig.of("post", values), new MemoryState().context(InstantSource.system()));
    open.add(channel);
    channel.start(listener);
    return channel;
  }

  private static String failure(Channel channel) {
    await().atMost(TIMEOUT).until(() -> channel.status() instanceof ChannelStatus.Retrying);
    return ((ChannelStatus.Retrying) channel.status()).reason();
  }

  private static void connected(Channel channel) {
    await().atMost(TIMEOUT).until(() -> channel.status() instanceof ChannelStatus.Connected);
  }

  /** Nothing about the account has left, neither as it is nor in the form of a login. */
  private static void assertNothingSent(RecordingProxy proxy) {
    assertThat(proxy.sentInPlain()).doesNotContain("AUTHENTICATE").doesNotContain("LOGIN");
    assertThat(proxy.sent()).doesNotContain(Dovecot.PASSWORD).doesNotContain(Mails.BOT);
  }

  @Test
  void mail_is_read_after_starttls_and_nothing_is_sent_before() throws Exception {
    TestCertificate certificate = TestCertificate.of(folder, "localhost");
    Dovecot server = server(tls(certificate));
    RecordingProxy proxy = proxy(server);

    connected(channel(proxy, Map.of("ca_file", certificate.file().toString())));
    server.deliver("1.one.host", Mails.ofAnn("<1@x>", "One"));

    listener.awaitMessage("One");
    assertThat(proxy.sentInPlain()).contains("STARTTLS");
    assertNothingSent(proxy);
  }

  /** Seen to fail when the name in the certificate is not compared with that of the server. */
  @Test
  void t485_a_certificate_for_another_host_and_one_of_nobody_are_refused() throws Exception {
    TestCertificate other = TestCertificate.of(folder, "mail.example.org");
    Dovecot server = server(tls(other));
    RecordingProxy first = proxy(server);
    RecordingProxy second = proxy(server);

    assertThat(failure(channel(first, Map.of("ca_file", other.file().toString()))))
        .contains("the certificate of the server is for another host name");
    assertThat(failure(channel(second, Map.of())))
        .contains("is of no authority that is trusted", "ca_file");

    assertNothingSent(first);
    assertNothingSent(second);
  }

  /** Seen to fail when STARTTLS is tried and not required. */
  @Test
  void t485_a_server_without_starttls_gets_no_password() throws Exception {
    RecordingProxy proxy = proxy(server(Dovecot.WITHOUT_TLS));

    assertThat(failure(channel(proxy, Map.of()))).containsIgnoringCase("STARTTLS");

    assertNothingSent(proxy);
  }

  @Test
  void an_access_token_logs_in_and_a_wrong_one_is_refused_and_not_shown() throws Exception {
    TestCertificate certificate = TestCertificate.of(folder, "localhost");
    Dovecot server = server(tls(certificate) + tokens());
    Map<String, String> login =
        Map.of("login", "xoauth2", "ca_file", certificate.file().toString());
    Map<String, String> right = new HashMap<>(login);
    right.put("password", token(TOKEN_SECRET));
    Map<String, String> wrong = new HashMap<>(login);
    wrong.put("password", token("another-secret"));

    connected(channel(proxy(server), right));
    String failure = failure(channel(proxy(server), wrong));

    assertThat(failure).isNotBlank().doesNotContain(wrong.get("password"));
  }

  /** The settings for tokens that are signed with the secret of the test. */
  private String tokens() throws Exception {
    Path keys = Files.createDirectories(folder.resolve("keys/default/HS256"));
    Files.writeString(
        keys.resolve("default"), Base64.getEncoder().encodeToString(TOKEN_SECRET.getBytes(UTF_8)));
    Path settings =
        Files.writeString(
            folder.resolve("oauth2.conf"),
            """
            introspection_mode = local
            local_validation_key_dict = fs:posix:prefix=%s/keys/
            username_attribute = sub
            """
                .formatted(folder));
    return """
    auth_mechanisms = plain xoauth2
    passdb {
      driver = oauth2
      mechanisms = xoauth2
      args = %s
    }
    """
        .formatted(settings);
  }

  private static String token(String secret) throws Exception {
    long now = Instant.now().getEpochSecond();
    String body =
        part("{\"alg\":\"HS256\",\"typ\":\"JWT\"}")
            + "."
            + part("{\"sub\":\"%s\",\"iat\":%d,\"exp\":%d}".formatted(Mails.BOT, now, now + 600));
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
    return body + "." + encoded(mac.doFinal(body.getBytes(UTF_8)));
  }

  private static String part(String json) {
    return encoded(json.getBytes(UTF_8));
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
