package dev.midcourse.gateway.read;

import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.gateway.http.MessageHead;
import dev.midcourse.gateway.http.RequestHead;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a request: its class, its model, its ids and its steers. */
public final class RequestReader {
  private static final Pattern GEMINI_MODEL = Pattern.compile("/models/([^/:]+):");

  private RequestReader() {}

  /** Reads the request with its decoded body. A body that is no JSON is unreadable. */
  public static ReadRequest read(RequestHead request, byte[] body) {
    Wire wire = Wire.of(request.method(), request.target());
    if (wire == Wire.OTHER) {
      return without(request, RequestClass.OTHER);
    }
    try {
      Obj json = JsonReader.readObject(new String(body, StandardCharsets.UTF_8));
      return of(request, wire, json, SteerFinder.canContain(body, body.length));
    } catch (JsonException invalid) {
      return unreadable(request);
    }
  }

  /** Returns a request to a model whose body is not known. */
  public static ReadRequest unreadable(RequestHead request) {
    return without(
        request,
        Wire.of(request.method(), request.target()) == Wire.OTHER
            ? RequestClass.OTHER
            : RequestClass.UNREADABLE);
  }

  private static ReadRequest without(RequestHead request, RequestClass kind) {
    MessageHead head = request.head();
    return new ReadRequest(
        Wire.of(request.method(), request.target()),
        kind,
        false,
        Optional.empty(),
        RequestClassifier.session(head),
        RequestClassifier.turn(head),
        false,
        false,
        List.of());
  }

  private static ReadRequest of(RequestHead request, Wire wire, Obj body, boolean canHaveSteers) {
    MessageHead head = request.head();
    Classification classification = RequestClassifier.classify(wire, head, body);
    return new ReadRequest(
        wire,
        classification.kind(),
        classification.certain(),
        body.string("model").or(() -> modelInPath(request.target())),
        RequestClassifier.session(head),
        RequestClassifier.turn(head),
        RequestClassifier.isAfterCompaction(head),
        RequestClassifier.isPartial(body),
        canHaveSteers ? SteerFinder.find(wire, body) : List.of());
  }

  private static Optional<String> modelInPath(String target) {
    Matcher model = GEMINI_MODEL.matcher(target);
    return model.find() ? Optional.of(model.group(1)) : Optional.empty();
  }
}
