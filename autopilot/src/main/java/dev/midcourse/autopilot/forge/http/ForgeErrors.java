package dev.midcourse.autopilot.forge.http;

import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.loop.forge.ForgeError;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Turns an answer that is no success into an error. */
public final class ForgeErrors {
  private static final int MAX_MESSAGE = 300;

  private ForgeErrors() {}

  /**
   * The error that a status means at most forges. Status 405, 409 and 412 are a conflict: the state
   * at the forge is another than expected.
   */
  public static ForgeException of(ForgeResponse response) {
    String message = message(response);
    ForgeError error =
        switch (response.status()) {
          case 401 -> new ForgeError.Unauthorized(message);
          case 403 -> new ForgeError.Forbidden(message);
          case 404, 410 -> new ForgeError.NotFound(message);
          case 405, 409, 412 -> new ForgeError.Conflict(message);
          default ->
              response.status() / 100 == 4
                  ? new ForgeError.Invalid(message)
                  : new ForgeError.Outage(message);
        };
    boolean isServerError = response.status() >= 500;
    return new ForgeException(error, isServerError && response.request().write());
  }

  /** Method, path, status and what the forge says, in one line. */
  public static String message(ForgeResponse response) {
    String said = said(response);
    return response.request().shown()
        + ": "
        + response.status()
        + (said.isBlank() ? "" : " " + said);
  }

  /** What the forge says about its answer: {@code message}, {@code error}, {@code errors}. */
  private static String said(ForgeResponse response) {
    JsonValue.Obj body;
    try {
      body = JsonReader.readObject(response.text());
    } catch (JsonException notAnObject) {
      return "";
    }
    List<String> said = new ArrayList<>();
    body.text("message").ifPresent(said::add);
    body.text("error").ifPresent(said::add);
    body.text("error_description").ifPresent(said::add);
    said.addAll(body.texts("errors"));
    for (JsonValue.Obj error : body.objects("errors")) {
      String field = error.text("field").map(name -> name + " ").orElse("");
      error
          .text("message")
          .or(() -> error.text("code").map(code -> field + code))
          .ifPresent(said::add);
    }
    return line(said.stream().distinct().collect(Collectors.joining("; ")));
  }

  /** Makes one short line of text from outside, without control characters. */
  public static String line(String text) {
    StringBuilder line = new StringBuilder();
    WireNames.cut(text.strip(), MAX_MESSAGE)
        .codePoints()
        .forEach(c -> line.appendCodePoint(isVisible(c) ? c : ' '));
    return line.toString();
  }

  private static boolean isVisible(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
