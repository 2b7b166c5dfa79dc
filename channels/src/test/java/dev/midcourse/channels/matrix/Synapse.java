package dev.midcourse.channels.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.channels.ClientPrograms;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue.Obj;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A real Synapse, as {@code channels/servers/synapse} installs it. Ends with the object. */
final class Synapse implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofMinutes(2);
  private static final String SECRET = "only-for-tests";

  private final Process process;
  private final String url;
  private final HttpClient http = HttpClient.newHttpClient();

  private Synapse(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  /** Installs Synapse if it is missing; skips the test where it cannot be had. */
  static Synapse start(Path folder, Map<String, String> environment) throws Exception {
    Path script = ClientPrograms.repository().resolve("channels/servers/synapse");
    Process install =
        new ProcessBuilder(script.toString(), "install")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("install.log").toFile())
            .start();
    boolean installed = install.waitFor(15, TimeUnit.MINUTES) && install.exitValue() == 0;
    assumeTrue(
        installed,
        () -> "Synapse cannot be installed here: " + text(folder.resolve("install.log")));
    int port = freePort();
    ProcessBuilder run =
        new ProcessBuilder(script.toString(), "run", Integer.toString(port))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("synapse.log").toFile());
    run.environment().putAll(environment);
    Synapse synapse = new Synapse(run.start(), "http://127.0.0.1:" + port);
    await()
        .atMost(START_TIMEOUT)
        .ignoreExceptions()
        .until(() -> synapse.get("/_matrix/client/versions") == 200);
    return synapse;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  String url() {
    return url;
  }

  private int get(String path) throws IOException, InterruptedException {
    return http.send(
            HttpRequest.newBuilder(URI.create(url + path)).build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  /** Makes a user by the shared secret of the server. */
  MatrixTalk.Account register(String name) throws Exception {
    String path = "/_synapse/admin/v1/register";
    HttpResponse<String> nonce =
        http.send(
            HttpRequest.newBuilder(URI.create(url + path)).build(),
            HttpResponse.BodyHandlers.ofString());
    String once = JsonReader.readObject(nonce.body()).string("nonce").orElseThrow();
    Obj body =
        Obj.EMPTY
            .with("nonce", once)
            .with("username", name)
            .with("password", "pw")
            .with("admin", false)
            .with("mac", mac(once + "\0" + name + "\0pw\0notadmin"));
    HttpResponse<String> made =
        http.send(
            HttpRequest.newBuilder(URI.create(url + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    Obj account = JsonReader.readObject(made.body());
    return new MatrixTalk.Account(
        account.string("user_id").orElseThrow(() -> new IOException(made.body())),
        account.string("access_token").orElseThrow());
  }

  private static String mac(String text) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA1");
    mac.init(new SecretKeySpec(SECRET.getBytes(UTF_8), "HmacSHA1"));
    return HexFormat.of().formatHex(mac.doFinal(text.getBytes(UTF_8)));
  }

  /** Calls the client-server API as this account; returns the answer. */
  Obj call(MatrixTalk.Account account, String method, String path, Obj body) throws Exception {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(url + "/_matrix/client/v3" + path))
                .header("Authorization", "Bearer " + account.token())
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body.toString()))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    return JsonReader.readObject(answer.body());
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().orTimeout(20, TimeUnit.SECONDS).join();
    http.close();
  }
}
