package dev.midcourse.channels.program;

import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import java.util.Optional;

/** A line that a program writes. */
sealed interface ProgramLine {

  /** The first line: the program is ready. */
  record Hello(Optional<String> account) implements ProgramLine {}

  /**
   * An update of the platform.
   *
   * @param ack names it in the answer
   * @param update as in {@code channels.wire}
   */
  record Update(String ack, String update) implements ProgramLine {}

  /** What became of a request. */
  record Result(String id, JsonValue.Obj fields) implements ProgramLine {}

  /** A chat got another id, was closed, or messages may be missing. */
  record Notice(JsonValue.Obj fields) implements ProgramLine {}

  /** The program cannot go on until a person changes something. */
  record Stopped(String reason, String remedy) implements ProgramLine {}

  /** The answer to a ping. */
  record Pong() implements ProgramLine {}

  /** Something else. It is ignored, so that programs may be newer than Midcourse. */
  record Other(String reason) implements ProgramLine {}

  static ProgramLine read(String text) {
    JsonValue.Obj fields;
    try {
      fields = JsonReader.readObject(text);
    } catch (JsonException e) {
      return new Other("it is no JSON object");
    }
    return switch (fields.string("type").orElse("")) {
      case "hello" -> new Hello(fields.string("account"));
      case "update" ->
          new Update(fields.string("ack").orElse(""), JsonWriter.compact(fields.object("update")));
      case "result" -> new Result(fields.string("id").orElse(""), fields);
      case "notice" -> new Notice(fields);
      case "stopped" ->
          new Stopped(
              fields.string("reason").orElse("the program has stopped"),
              fields.string("remedy").orElse(""));
      case "pong" -> new Pong();
      default -> new Other("its type is not known");
    };
  }
}
