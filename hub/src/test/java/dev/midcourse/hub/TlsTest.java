package dev.midcourse.hub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.steer.Author;
import dev.midcourse.hub.settings.HubArguments;
import dev.midcourse.hub.settings.HubSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A hub whose TCP port uses TLS. */
class TlsTest {
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir Path temp;

  /** Seen to fail when the port uses plain text, and when the hub takes http for its own origin. */
  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "Ed25519"})
  void a_browser_and_a_program_talk_with_the_hub_over_tls(String algorithm) throws Exception {
    KeyStore own = made("own", algorithm);
    try (Hub hub = started()) {
      assertThat(hub.url()).isEqualTo("https://127.0.0.1:" + hub.port());
      try (HttpClient client = trusting(own)) {
        assertThat(get(client, hub, "/").statusCode()).isEqualTo(200);
        assertThat(get(client, hub, "/api/v1/runs").statusCode()).isEqualTo(200);
        assertThat(get(client, hub, "/api/v1/runs", "Origin", hub.url()).statusCode())
            .isEqualTo(200);
        String clear = hub.url().replace("https", "http");
        assertThat(get(client, hub, "/api/v1/runs", "Origin", clear).statusCode()).isEqualTo(403);
      }
    }
  }

  /** Seen to fail when only the names of this machine are accepted as the hub's names. */
  @Test
  void the_names_in_the_certificate_are_the_hubs_own_and_no_others() throws Exception {
    KeyStore own = made("own", "EC");
    try (Hub hub = started()) {
      assertThat(statusFor(hub, own, "Hub.example.org:" + hub.port())).contains(" 200 ");
      assertThat(statusFor(hub, own, "other.example.org")).contains(" 403 ");
    }
  }

  private static String statusFor(Hub hub, KeyStore own, String host) throws Exception {
    return headFor(hub, own, host).lines().findFirst().orElseThrow();
  }

  private static String headFor(Hub hub, KeyStore own, String host) throws Exception {
    try (Socket socket =
        context(own)
            .getSocketFactory()
            .createSocket(InetAddress.getLoopbackAddress(), hub.port())) {
      socket
          .getOutputStream()
          .write(
              "GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
                  .formatted(host)
                  .getBytes(UTF_8));
      String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
      return answer.substring(0, answer.indexOf("\r\n\r\n"));
    }
  }

  /** Seen to fail when a read of a line returns only the content of one packet. */
  @Test
  void large_and_endless_responses_pass_through_tls() throws Exception {
    KeyStore own = made("own", "EC");
    try (Hub hub = started();
        HttpClient client = trusting(own)) {
      String prompt = "x".repeat(900_000);
      String body = "{\"run_id\":\"large\",\"prompt\":\"" + prompt + "\"}";
      HttpRequest create =
          request(hub, "/api/v1/runs")
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build();
      assertThat(client.send(create, BodyHandlers.ofString()).statusCode()).isEqualTo(201);
      assertThat(get(client, hub, "/api/v1/runs/large").body()).contains(prompt);
      HttpResponse<java.io.InputStream> events =
          client.send(request(hub, "/api/v1/events?after=0").build(), BodyHandlers.ofInputStream());
      try (BufferedReader lines = new BufferedReader(new InputStreamReader(events.body(), UTF_8))) {
        List<String> seen = new ArrayList<>();
        while (seen.stream().noneMatch(line -> line.contains("large"))) {
          seen.add(lines.readLine());
        }
        assertThat(seen).isNotEmpty();
      }
      hub.engine().runs().stop(RunId.of("large"), Author.person("test"));
      hub.engine().runs().awaitEnd(RunId.of("large"), Duration.ofMinutes(1));
    }
  }

  /** Seen to fail when a TLS port answers clients that use plain text. */
  @Test
  void nothing_is_said_in_clear() throws Exception {
    made("own", "EC");
    try (Hub hub = started();
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), hub.port())) {
      socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(UTF_8));
      socket.setSoTimeout(60_000);
      assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
          .doesNotContain("HTTP/1.1");
    }
  }

  @Test
  void with_tls_the_hub_may_listen_beyond_this_machine() throws Exception {
    made("own", "EC");
    HubSettings wide = settings("--host", "0.0.0.0");
    assertThat(wide.host()).isEqualTo("0.0.0.0");
    assertThat(wide.insecure()).isFalse();
  }

  @Test
  void mismatched_tls_files_are_refused_at_start() throws Exception {
    made("own", "EC");
    KeyStore other = made("other", "EC");
    write(temp.resolve("own.key"), "PRIVATE KEY", other.getKey("hub", PASSWORD).getEncoded());
    assertThatThrownBy(this::started)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("is the key of another");
    write(temp.resolve("own.key"), "EC PRIVATE KEY", new byte[] {1});
    assertThatThrownBy(this::started)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("openssl pkcs8 -topk8");
    Files.writeString(temp.resolve("own.pem"), "nothing");
    assertThatThrownBy(this::started)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("holds no certificate");
    assertThatThrownBy(() ->
            HubArguments.parse("--tls-cert", temp.resolve("own.pem").toString())
                .settings(temp, Map.of()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("together");
  }

  /** Seen to fail when the permissions of the key are not checked. */
  @Test
  void a_key_that_other_users_can_read_is_refused_with_the_command_that_closes_it()
      throws Exception {
    made("own", "EC");
    Path key = temp.resolve("own.key");
    for (String open : List.of("rw-r--r--", "rw----r--", "rw--w----", "rw-----w-")) {
      Files.setPosixFilePermissions(key, PosixFilePermissions.fromString(open));
      assertThatThrownBy(this::started)
          .as(open)
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("chmod 600 " + key);
    }
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("r--------"));
    started().close();
  }

  /** Seen to fail when no answer has the header, and when each answer over TLS has it. */
  @Test
  void browsers_get_strict_transport_only_for_names_that_belong_to_the_hub_alone()
      throws Exception {
    KeyStore own = made("own", "EC");
    try (Hub hub = started()) {
      assertThat(headFor(hub, own, "hub.example.org:" + hub.port()))
          .containsIgnoringCase("strict-transport-security: max-age=15552000");
      for (String host : List.of("localhost", "127.0.0.1:" + hub.port(), "[::1]")) {
        assertThat(headFor(hub, own, host))
            .startsWith("HTTP/1.1 200")
            .doesNotContainIgnoringCase("strict-transport-security");
      }
    }
  }

  @Test
  @Tag("slow")
  void the_file_may_name_them_too() throws Exception {
    KeyStore own = made("own", "EC");
    Files.writeString(
        temp.resolve("midcourse.toml"),
        "[hub]\nport = 0\ntls_cert = \"own.pem\"\ntls_key = \"own.key\"\n");
    try (Hub hub = Hub.start(HubArguments.parse().settings(temp, Map.of()));
        HttpClient client = trusting(own)) {
      assertThat(get(client, hub, "/").statusCode()).isEqualTo(200);
    }
  }

  private Hub started() {
    return Hub.start(settings("--port", "0"));
  }

  private HubSettings settings(String... more) {
    List<String> words = new ArrayList<>(List.of(more));
    words.addAll(
        List.of(
            "--tls-cert",
            temp.resolve("own.pem").toString(),
            "--tls-key",
            temp.resolve("own.key").toString()));
    return HubArguments.parse(words.toArray(String[]::new)).settings(temp, Map.of());
  }

  private HttpResponse<String> get(HttpClient client, Hub hub, String path, String... headers)
      throws Exception {
    HttpRequest.Builder request = request(hub, path);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(Hub hub, String path) throws IOException {
    String token = Files.readString(temp.resolve("token")).strip();
    return HttpRequest.newBuilder(URI.create(hub.url() + path))
        .header("Authorization", "Bearer " + token);
  }

  private static HttpClient trusting(KeyStore store) throws Exception {
    return HttpClient.newBuilder().sslContext(context(store)).build();
  }

  private static SSLContext context(KeyStore store) throws Exception {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, PASSWORD);
    trusted.setCertificateEntry("hub", store.getCertificate("hub"));
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  /** Creates a self-signed certificate and its key, as files and as a key store. */
  private KeyStore made(String name, String algorithm) throws Exception {
    Path file = temp.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "hub",
                "-keyalg",
                algorithm,
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=IP:127.0.0.1,DNS:localhost,DNS:hub.example.org",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore store = KeyStore.getInstance(file.toFile(), PASSWORD);
    write(temp.resolve(name + ".pem"), "CERTIFICATE", store.getCertificate("hub").getEncoded());
    write(temp.resolve(name + ".key"), "PRIVATE KEY", store.getKey("hub", PASSWORD).getEncoded());
    return store;
  }

  private static void write(Path file, String what, byte[] bytes) throws IOException {
    Files.writeString(
        file,
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(
                what, Base64.getMimeEncoder(64, "\n".getBytes(UTF_8)).encodeToString(bytes), what));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }
}
