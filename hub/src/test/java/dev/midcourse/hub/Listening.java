package dev.midcourse.hub;

import dev.midcourse.ledger.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/** A listener to a hub's events over TCP that keeps what it hears. */
final class Listening implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HttpURLConnection connection;
  private final CountDownLatch open = new CountDownLatch(1);

  /** Guarded by itself. */
  private final List<JsonNode> events = new ArrayList<>();

  private Listening(HttpURLConnection connection) {
    this.connection = connection;
    Thread.ofPlatform().daemon().name("listening").start(this::read);
  }

  static Listening to(String url, String token, String... lastEventId) {
    try {
      HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
      connection.setRequestProperty("Authorization", "Bearer " + token);
      for (String id : lastEventId) {
        connection.setRequestProperty("Last-Event-ID", id);
      }
      return new Listening(connection);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void read() {
    String id = "";
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        open.countDown();
        if (line.startsWith("id: ")) {
          id = line.substring(4);
        } else if (line.startsWith("data: ")) {
          JsonNode event = Json.mapper().readTree(line.substring(6));
          if (!event.path("cursor").asString("").equals(id)) {
            throw new IllegalStateException("id " + id + " is not the cursor of " + line);
          }
          synchronized (events) {
            events.add(event);
          }
        }
      }
    } catch (IOException closed) {
      // Whoever waits for more will say so.
    }
  }

  void awaitOpen() {
    try {
      if (!open.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("the stream did not open");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  void await(int count) {
    Awaitility.await().atMost(PATIENCE).until(() -> events().size() >= count);
  }

  void awaitKind(String kind) {
    Awaitility.await().atMost(PATIENCE).until(() -> kinds().contains(kind));
  }

  List<JsonNode> events() {
    synchronized (events) {
      return List.copyOf(events);
    }
  }

  List<Long> cursors() {
    return events().stream().map(event -> event.path("cursor").asLong(0)).toList();
  }

  List<String> kinds() {
    return events().stream().map(event -> event.path("kind").asString("")).toList();
  }

  List<String> runs() {
    return events().stream().map(event -> event.path("run_id").asString("")).toList();
  }

  @Override
  public void close() {
    connection.disconnect();
  }
}
