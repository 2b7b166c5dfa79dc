package dev.midcourse.proof.model;

import static dev.midcourse.proof.model.wire.Json.array;
import static dev.midcourse.proof.model.wire.Json.object;

import dev.midcourse.proof.model.wire.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A small client that calls a lane like an agent, in each of the wire formats. */
final class ModelClient implements AutoCloseable {
  private static final JsonNode SHELL_SCHEMA =
      object(
          "type", "object",
          "properties", object("command", object("type", "string")),
          "required", array("command"));

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Lane lane;

  ModelClient(Lane lane) {
    this.lane = lane;
  }

  /** Sends a streamed request with a shell tool and one user message. */
  HttpResponse<String> anthropic(String text) throws IOException, InterruptedException {
    return post("/v1/messages", anthropicBody(text));
  }

  static ObjectNode anthropicBody(String text) {
    return object(
        "model",
        "scripted",
        "stream",
        true,
        "tools",
        array(object("name", "Bash", "input_schema", SHELL_SCHEMA)),
        "messages",
        array(object("role", "user", "content", text)));
  }

  static ObjectNode chatBody(String text) {
    var function = object("name", "bash", "parameters", SHELL_SCHEMA);
    return object(
        "model",
        "scripted",
        "stream",
        true,
        "tools",
        array(object("type", "function", "function", function)),
        "messages",
        array(
            object("role", "system", "content", "You are an agent."),
            object("role", "user", "content", text)));
  }

  static ObjectNode responsesBody(String text) {
    var schema =
        object(
            "type", "object",
            "properties", object("cmd", object("type", "string")),
            "required", array("cmd"));
    return object(
        "model",
        "scripted",
        "stream",
        true,
        "tools",
        array(object("type", "function", "name", "exec_command", "parameters", schema)),
        "input",
        array(
            object(
                "type", "message",
                "role", "user",
                "content", array(object("type", "input_text", "text", text)))));
  }

  static ObjectNode geminiBody(String text) {
    var function = object("name", "run_shell_command", "parametersJsonSchema", SHELL_SCHEMA);
    return object(
        "tools", array(object("functionDeclarations", array(function))),
        "contents", array(object("role", "user", "parts", array(object("text", text)))));
  }

  HttpResponse<String> post(String path, JsonNode body) throws IOException, InterruptedException {
    return http.send(request(path, body), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<InputStream> open(String path, JsonNode body)
      throws IOException, InterruptedException {
    return http.send(request(path, body), HttpResponse.BodyHandlers.ofInputStream());
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(lane.url() + path)).GET().build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> put(String path, String body) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(lane.url() + path))
            .PUT(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest request(String path, JsonNode body) {
    return HttpRequest.newBuilder(URI.create(lane.url() + path))
        .timeout(Duration.ofSeconds(30))
        .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
        .build();
  }

  /** Returns the data of each server-sent event, as JSON. */
  static List<JsonNode> events(String stream) {
    return stream
        .lines()
        .filter(line -> line.startsWith("data: ") && !line.equals("data: [DONE]"))
        .map(line -> Json.MAPPER.readTree(line.substring(6)))
        .toList();
  }

  @Override
  public void close() {
    http.shutdownNow();
    http.close();
  }
}
