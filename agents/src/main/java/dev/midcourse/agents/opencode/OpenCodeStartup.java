package dev.midcourse.agents.opencode;

import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.stdio.ProtocolJson;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Waits until a server can accept work, and opens the session. The server loads its models after it
 * starts to listen, and silently drops a message that arrives before.
 */
record OpenCodeStartup(AttemptSpec spec, Optional<String> wantedModel) {
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(100);
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int MAX_CHECKS = 600;

  /** A session that is ready, with the earlier entries of its log. */
  record Ready(String version, List<JsonNode> before) {}

  OpenCodeIds ids() {
    return OpenCodeIds.of(spec);
  }

  /**
   * Waits for the model, then opens or resumes the session.
   *
   * @throws UnusableServerException if the session cannot be opened or resumed
   */
  Ready at(OpenCodeServer server)
      throws IOException, InterruptedException, UnusableServerException {
    String version = ProtocolJson.text(server.get("/global/health").body(), "version");
    String model =
        wantedModel.isPresent()
            ? wantedModel.get()
            : ProtocolJson.text(server.get("/config").body(), "model");
    awaitModel(server, model);
    if (spec.resume().isPresent()) {
      OpenCodeServer.ServerResponse known = server.get(server.session(""));
      if (!known.isGood()) {
        throw new UnusableServerException(known.describe());
      }
      return new Ready(version, history(server, 0));
    }
    OpenCodeServer.ServerResponse made = server.post("/api/session", session(model), TIMEOUT);
    if (!made.isGood()) {
      throw new UnusableServerException(made.describe());
    }
    return new Ready(version, List.of());
  }

  private static void awaitModel(OpenCodeServer server, String wanted)
      throws IOException, InterruptedException {
    for (int checks = 0; checks < MAX_CHECKS; checks++) {
      for (JsonNode model : server.get("/api/model").body().path("data")) {
        String name = ProtocolJson.text(model, "providerID") + "/" + ProtocolJson.text(model, "id");
        if (wanted.isEmpty() || wanted.equals(name)) {
          return;
        }
      }
      Thread.sleep(CHECK_INTERVAL);
    }
  }

  private ObjectNode session(String model) {
    ObjectNode request = ProtocolJson.object().put("id", ids().session());
    request.putObject("location").put("directory", spec.workspace().toString());
    int slash = model.indexOf('/');
    if (slash > 0) {
      request
          .putObject("model")
          .put("providerID", model.substring(0, slash))
          .put("id", model.substring(slash + 1));
    }
    return request;
  }

  /** Returns all entries of the log after this entry. */
  static List<JsonNode> history(OpenCodeServer server, long after)
      throws IOException, InterruptedException {
    List<JsonNode> entries = new ArrayList<>();
    long last = after;
    while (true) {
      JsonNode page = server.get(server.session("/history?limit=100&after=" + last)).body();
      for (JsonNode entry : page.path("data")) {
        entries.add(entry);
        last = Math.max(last, seq(entry));
      }
      if (!page.path("hasMore").asBoolean(false)) {
        return entries;
      }
    }
  }

  static long seq(JsonNode entry) {
    return entry.path("durable").path("seq").asLong(0);
  }

  /** The server runs but cannot provide the session. */
  static final class UnusableServerException extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableServerException(String why) {
      super(why);
    }

    String why() {
      return String.valueOf(getMessage());
    }
  }
}
