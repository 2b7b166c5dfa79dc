package dev.midcourse.agents.opencode;

import dev.midcourse.agents.stdio.ProtocolJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** An OpenCode server, called over HTTP. Every request has a timeout, except {@link #follow}. */
record OpenCodeServer(URI url, OpenCodeIds ids) {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final String DATA = "data:";

  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .executor(Executors.newVirtualThreadPerTaskExecutor())
          .build();

  /** A response; the body is an empty object if there was none. */
  record ServerResponse(int status, JsonNode body) {
    boolean isGood() {
      return status >= 200 && status < 300;
    }

    String describe() {
      String message = ProtocolJson.text(body, "message");
      return message.isEmpty() ? "status " + status : message;
    }
  }

  ServerResponse get(String path) throws IOException, InterruptedException {
    return send(to(path).GET().timeout(TIMEOUT).build());
  }

  ServerResponse post(String path, ObjectNode body, Duration timeout)
      throws IOException, InterruptedException {
    return send(
        to(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
            .timeout(timeout)
            .build());
  }

  String session(String what) {
    return "/api/session/" + ids.session() + what;
  }

  /**
   * Reads the log of the session after this entry, until the stream ends or {@code wanted} is
   * false.
   */
  void follow(long after, Consumer<ObjectNode> entries, BooleanSupplier wanted)
      throws IOException, InterruptedException {
    HttpRequest request =
        to(session("/event?after=" + after)).header("Accept", "text/event-stream").GET().build();
    HttpResponse<InputStream> stream = CLIENT.send(request, BodyHandlers.ofInputStream());
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine();
          line != null && wanted.getAsBoolean();
          line = lines.readLine()) {
        if (line.startsWith(DATA)) {
          ProtocolJson.object(line.substring(DATA.length())).ifPresent(entries);
        }
      }
    }
  }

  private HttpRequest.Builder to(String path) {
    String login = "opencode:" + ids.password();
    return HttpRequest.newBuilder(url.resolve(path))
        .header(
            "Authorization",
            "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8)));
  }

  private static ServerResponse send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> response = CLIENT.send(request, BodyHandlers.ofString());
    return new ServerResponse(
        response.statusCode(),
        ProtocolJson.object(response.body()).orElseGet(ProtocolJson::object));
  }
}
