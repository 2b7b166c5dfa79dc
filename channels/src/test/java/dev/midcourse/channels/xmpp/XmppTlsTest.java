package dev.midcourse.channels.xmpp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.fixture.MapConfig;
import dev.midcourse.channels.fixture.MemoryState;
import dev.midcourse.channels.fixture.RecordingListener;
import dev.midcourse.channels.fixture.RecordingProxy;
import dev.midcourse.channels.fixture.TestCertificate;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logins to a real Prosody with STARTTLS. A proxy keeps what the channel sends. */
@Tag("setup")
class XmppTlsTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final String PASSWORD = "midcourse-password";

  @TempDir Path folder;
  private final RecordingListener listener = new RecordingListener();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  private Prosody server(Optional<TestCertificate> certificate) {
    Prosody server = new Prosody(folder, certificate);
    open.add(server);
    return server;
  }

  private RecordingProxy proxy(Prosody server) {
    RecordingProxy proxy = new RecordingProxy(server.port());
    open.add(proxy);
    return proxy;
  }

  private Channel channel(RecordingProxy proxy, Map<String, String> more) {
    Map<String, String> values = new HashMap<>();
    values.put("account", "midcourse@localhost");
    values.put("password", PASSWORD);
    values.put("server", "127.0.0.1");
    values.put("port", Integer.toString(proxy.port()));
    values.put("rooms", "dev@rooms.localhost");
    values.putAll(more);
    Channel channel =
        new XmppKind()
            .open(MapConfig.of("xmpp", values), new MemoryState().context(InstantSource.system()));
    open.add(channel);
    channel.start(listener);
    return channel;
  }

  private static String failure(Channel channel) {
    await().atMost(TIMEOUT).until(() -> channel.status() instanceof ChannelStatus.Retrying);
    return ((ChannelStatus.Retrying) channel.status()).reason();
  }

  /** Nothing of a login has left, neither the password nor the form in which SASL PLAIN has it. */
  private static void assertNothingSent(RecordingProxy proxy) {
    String plain =
        Base64.getEncoder()
            .encodeToString(("\0midcourse\0" + PASSWORD).getBytes(StandardCharsets.UTF_8));
    assertThat(proxy.sentInPlain()).contains("<stream:stream").doesNotContain("<auth");
    assertThat(proxy.sent()).doesNotContain(PASSWORD).doesNotContain(plain);
  }

  @Test
  void a_room_is_entered_after_starttls_and_nothing_is_sent_before() {
    TestCertificate certificate = TestCertificate.of(folder, "localhost");
    RecordingProxy proxy = proxy(server(Optional.of(certificate)));

    channel(proxy, Map.of("ca_file", certificate.file().toString()));

    listener.awaitNotice(ChannelNotice.ChatOpened.class, notice -> true);
    assertThat(proxy.sentInPlain()).contains("<starttls");
    assertNothingSent(proxy);
  }

  /** Seen to fail when the name in the certificate is not compared with the domain. */
  @Test
  void t485_a_certificate_for_another_host_and_one_of_nobody_are_refused() {
    TestCertificate other = TestCertificate.of(folder, "chat.example.org");
    Prosody server = server(Optional.of(other));
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
  void t485_a_server_without_starttls_gets_no_password() {
    RecordingProxy proxy = proxy(server(Optional.empty()));

    assertThat(failure(channel(proxy, Map.of()))).containsIgnoringCase("TLS");

    assertNothingSent(proxy);
  }
}
