package dev.midcourse.gateway.read;

import dev.midcourse.core.json.JsonValue.Obj;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads a response as it arrives: a stream of events or one JSON document. A stream is read event
 * by event, and nothing but its sums is kept. Not thread-safe.
 */
public final class ResponseReader {
  private static final int MAX_DOCUMENT = 16 << 20;
  private static final int MAX_ERROR = 500;

  private final Wire wire;
  private final boolean stream;
  private final boolean ok;
  private final ServerSentEventParser events = new ServerSentEventParser(this::event);
  private final ByteArrayOutputStream document = new ByteArrayOutputStream();
  private ReadResponse read = ReadResponse.NOTHING;

  /**
   * Creates a reader.
   *
   * @param contentType the media type, from the head of the response
   */
  public ResponseReader(Wire wire, int status, String contentType) {
    this.wire = wire;
    this.stream = contentType.startsWith("text/event-stream");
    this.ok = status >= 200 && status < 300;
  }

  /** Reads decoded content. */
  public ReadResponse read(byte[] bytes, int from, int length) {
    if (stream) {
      events.read(bytes, from, length);
    } else if (document.size() + length <= MAX_DOCUMENT) {
      document.write(bytes, from, length);
    }
    return read;
  }

  /** Reads the end of the content. */
  public ReadResponse finish() {
    if (!stream && wire != Wire.OTHER) {
      RequestClassifier.object(document.toString(StandardCharsets.UTF_8)).ifPresent(this::whole);
    }
    return read;
  }

  private void whole(Obj answer) {
    if (!ok) {
      error(answer);
      return;
    }
    read = read.withEvent().withEnd().withMessage(id(answer));
    usage(answer);
  }

  private void error(Obj answer) {
    Obj error = answer.object("error");
    String words =
        error
            .string("message")
            .or(() -> answer.string("message"))
            .or(() -> answer.string("error"))
            .orElse("an error without words");
    read = read.withError(words.length() > MAX_ERROR ? words.substring(0, MAX_ERROR) : words);
  }

  private Optional<String> id(Obj answer) {
    return answer.string(wire == Wire.GEMINI ? "responseId" : "id");
  }

  private void usage(Obj answer) {
    switch (wire) {
      case ANTHROPIC -> {
        if (answer.get("usage").isPresent()) {
          read = read.withUsage(TokenUsage.anthropic(answer.object("usage"), read.usage()));
        }
      }
      case RESPONSES -> {
        if (!answer.object("usage").fields().isEmpty()) {
          read = read.withUsage(TokenUsage.responses(answer.object("usage")));
        }
      }
      case CHAT -> {
        if (!answer.object("usage").fields().isEmpty()) {
          read = read.withUsage(TokenUsage.chat(answer.object("usage")));
        }
      }
      case GEMINI -> {
        Obj inner = gemini(answer);
        if (!inner.object("usageMetadata").fields().isEmpty()) {
          read = read.withUsage(TokenUsage.gemini(inner.object("usageMetadata")));
        }
      }
      case OTHER -> {}
    }
  }

  private static Obj gemini(Obj answer) {
    return answer.get("response").isPresent() ? answer.object("response") : answer;
  }

  private void event(String name, String data) {
    switch (wire) {
      case ANTHROPIC -> anthropic(name, data);
      case RESPONSES -> responses(name, data);
      case CHAT -> chat(data);
      case GEMINI -> json(data).ifPresent(this::geminiChunk);
      case OTHER -> {}
    }
  }

  private void anthropic(String name, String data) {
    switch (name) {
      case "ping" -> {}
      case "message_start" -> {
        Obj message = json(data).orElse(Obj.EMPTY).object("message");
        read = read.withEvent().withMessage(id(message));
        usage(message);
      }
      case "message_delta" -> {
        read = read.withEvent();
        json(data).ifPresent(this::usage);
      }
      case "message_stop" -> read = read.withEvent().withEnd();
      case "error" -> json(data).ifPresent(this::error);
      default -> read = read.withEvent();
    }
  }

  private void responses(String name, String data) {
    switch (name) {
      case "error" -> json(data).ifPresent(this::error);
      case "response.created" -> {
        Obj response = json(data).orElse(Obj.EMPTY).object("response");
        read = read.withEvent().withMessage(id(response));
      }
      case "response.completed", "response.incomplete" -> {
        Obj response = json(data).orElse(Obj.EMPTY).object("response");
        read = read.withEvent().withEnd().withMessage(id(response));
        usage(response);
      }
      case "response.failed" -> error(json(data).orElse(Obj.EMPTY).object("response"));
      default -> {
        if (name.startsWith("response.")) {
          read = read.withEvent();
        }
      }
    }
  }

  private void chat(String data) {
    if (data.equals("[DONE]")) {
      read = read.withEnd();
    } else if (read.message().isEmpty()
        || data.contains("\"usage\"")
        || data.contains("\"error\"")) {
      json(data).ifPresent(this::chatChunk);
    } else {
      read = read.withEvent();
    }
  }

  private void chatChunk(Obj chunk) {
    if (!chunk.object("error").fields().isEmpty()) {
      error(chunk);
      return;
    }
    read = read.withEvent().withMessage(id(chunk));
    usage(chunk);
  }

  private void geminiChunk(Obj chunk) {
    if (!chunk.object("error").fields().isEmpty()) {
      error(chunk);
      return;
    }
    Obj inner = gemini(chunk);
    read = read.withEvent().withMessage(id(inner));
    usage(chunk);
    if (inner.objects("candidates").stream()
        .anyMatch(it -> it.string("finishReason").isPresent())) {
      read = read.withEnd();
    }
  }

  private static Optional<Obj> json(String data) {
    return RequestClassifier.object(data);
  }
}
