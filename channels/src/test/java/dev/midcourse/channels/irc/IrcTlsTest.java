package dev.midcourse.channels.irc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.fixture.MemoryState;
import dev.midcourse.channels.fixture.RecordingListener;
import dev.midcourse.channels.fixture.RecordingProxy;
import dev.midcourse.channels.fixture.TestCertificate;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections to a real ngIRCd with TLS. A proxy keeps what the channel sends. */
@Tag("setup")
class IrcTlsTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final String PASSWORD = "the-server-password";

  @TempDir Path folder;
  private final RecordingListener listener = new RecordingListener();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  private RecordingProxy proxy(Ngircd server) {
    RecordingProxy proxy = new RecordingProxy(server.port());
    open.add(proxy);
    return proxy;
  }

  private Ngircd server(Optional<TestCertificate> certificate) throws Exception {
    Ngircd server = new Ngircd(folder, "Password = " + PASSWORD, certificate);
    open.add(server);
    return server;
  }

  private IrcChannel channel(RecordingProxy proxy, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>();
    settings.put("server", "localhost");
    settings.put("tls", "true");
    settings.put("identity", "nick");
    settings.put("server_password", PASSWORD);
    settings.putAll(more);
    IrcChannel channel =
        (IrcChannel)
            new IrcKind()
                .open(
                    IrcParts.config(proxy.port(), settings),
                    new MemoryState().context(InstantSource.system()));
    open.add(channel);
    channel.start(listener);
    return channel;
  }

  private static String failure(IrcChannel channel) {
    await().atMost(TIMEOUT).until(() -> channel.status() instanceof ChannelStatus.Retrying);
    return ((ChannelStatus.Retrying) channel.status()).reason();
  }

  private static void assertNothingSent(RecordingProxy proxy) {
    assertThat(proxy.sentInPlain()).isEmpty();
    assertThat(proxy.sent()).doesNotContain(PASSWORD).doesNotContain("NICK");
  }

  /** Seen to fail when the connection uses no TLS. */
  @Test
  void a_room_is_joined_over_tls_and_nothing_is_sent_before() throws Exception {
    TestCertificate certificate = TestCertificate.of(folder, "localhost");
    RecordingProxy proxy = proxy(server(Optional.of(certificate)));

    IrcChannel channel = channel(proxy, Map.of("ca_file", certificate.file().toString()));
    listener.awaitNotice(ChannelNotice.ChatOpened.class, notice -> notice.chat().equals("#dev"));

    assertThat(IrcParts.send(channel, "#dev", "Hello.")).isInstanceOf(SendResult.Sent.class);
    assertNothingSent(proxy);
  }

  /** Seen to fail when the name in the certificate is not compared with that of the server. */
  @Test
  void t485_a_certificate_for_another_host_and_one_of_nobody_are_refused() throws Exception {
    TestCertificate other = TestCertificate.of(folder, "irc.example.org");
    Ngircd server = server(Optional.of(other));
    RecordingProxy first = proxy(server);
    RecordingProxy second = proxy(server);

    assertThat(failure(channel(first, Map.of("ca_file", other.file().toString()))))
        .contains("the certificate of the server is for another host name");
    assertThat(failure(channel(second, Map.of())))
        .contains("is of no authority that is trusted", "ca_file");

    assertNothingSent(first);
    assertNothingSent(second);
  }
}
