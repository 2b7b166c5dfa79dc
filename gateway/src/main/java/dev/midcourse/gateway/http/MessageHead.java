package dev.midcourse.gateway.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The head of a request or a response. Each line is kept as it arrived, so a head that is not
 * changed is written as it was read.
 */
public record MessageHead(String startLine, List<HeaderField> fields) {

  public MessageHead {
    fields = List.copyOf(fields);
  }

  /** Returns the value of the first field of this name. */
  public Optional<String> value(String name) {
    return fields.stream().filter(it -> it.isNamed(name)).map(HeaderField::value).findFirst();
  }

  List<String> values(String name) {
    return fields.stream().filter(it -> it.isNamed(name)).map(HeaderField::value).toList();
  }

  /** Returns whether a field that is a list of words has this word. */
  public boolean hasToken(String name, String token) {
    return tokens(name).stream().anyMatch(it -> it.equalsIgnoreCase(token));
  }

  /** Returns the words of all fields of this name, without their parameters. */
  List<String> tokens(String name) {
    return values(name).stream()
        .flatMap(value -> Arrays.stream(value.split(",", -1)))
        .map(word -> word.split(";", 2)[0].strip())
        .filter(word -> !word.isEmpty())
        .toList();
  }

  /** Returns a copy with another start line. */
  public MessageHead withStartLine(String line) {
    return new MessageHead(line, fields);
  }

  /**
   * Returns a copy in which the first field of this name is replaced in its place, and further ones
   * are removed. Without such a field the copy is equal.
   */
  public MessageHead replacing(String name, String value) {
    List<HeaderField> changed = new ArrayList<>();
    boolean done = false;
    for (HeaderField field : fields) {
      if (!field.isNamed(name)) {
        changed.add(field);
      } else if (!done) {
        changed.add(HeaderField.of(field.name(), value));
        done = true;
      }
    }
    return new MessageHead(startLine, changed);
  }

  /** Returns the bytes of the head with the empty line at its end. */
  public byte[] bytes() {
    StringBuilder text = new StringBuilder(startLine).append("\r\n");
    for (HeaderField field : fields) {
      text.append(field.line()).append("\r\n");
    }
    return text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
  }
}
