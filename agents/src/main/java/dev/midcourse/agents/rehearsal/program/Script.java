package dev.midcourse.agents.rehearsal.program;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.SteerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A message as the rehearsal agent reads it: plain text and framed steers, in order. The byte count
 * of the frame decides where a steer ends, so text inside a steer is never read as a frame.
 */
record Script(List<Part> parts) {
  private static final String OPEN = "[midcourse steer ";
  private static final String CLOSE = "[end of midcourse steer ";
  private static final int ID_LENGTH = 36;

  Script {
    parts = List.copyOf(parts);
  }

  /** A section of text, with the steer's id if the section was in a frame. */
  record Part(Optional<SteerId> steer, String text) {

    List<ScriptStep> steps() {
      List<ScriptStep> steps = new ArrayList<>();
      for (String line : lines(text)) {
        Optional<ScriptStep> step = step(line);
        if (step.isPresent()) {
          steps.add(step.get());
        }
      }
      return steps;
    }

    /** Returns the lines that are not steps, unchanged. */
    String plainText() {
      StringBuilder words = new StringBuilder();
      for (String line : lines(text)) {
        if (step(line).isEmpty()) {
          words.append(line).append('\n');
        }
      }
      return words.toString().strip();
    }
  }

  static Script parse(String message) {
    List<Part> parts = new ArrayList<>();
    int plainFrom = 0;
    int at = 0;
    while (at < message.length()) {
      Optional<Framed> frame = frameAt(message, at);
      if (frame.isPresent()) {
        addPlain(parts, message.substring(plainFrom, at));
        parts.add(new Part(Optional.of(frame.get().steer()), frame.get().text()));
        at = frame.get().end();
        plainFrom = at;
      } else {
        int newline = message.indexOf('\n', at);
        at = newline < 0 ? message.length() : newline + 1;
      }
    }
    addPlain(parts, message.substring(plainFrom));
    return new Script(parts);
  }

  /** Returns the text outside all frames. */
  String plain() {
    StringBuilder plain = new StringBuilder();
    for (Part part : parts) {
      if (part.steer().isEmpty()) {
        plain.append(part.text()).append('\n');
      }
    }
    return plain.toString().strip();
  }

  /** Returns how long the message tells the agent to stay silent first. */
  Optional<Duration> slowStart() {
    for (Part part : parts) {
      for (ScriptStep step : part.steps()) {
        if (step instanceof ScriptStep.Misbehave wanted
            && wanted.how() == Misbehaviour.SLOW_START) {
          return Optional.of(Duration.ofMillis(wanted.count()));
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the part in this steer's frame, or the whole message if there is no frame. */
  Part partOf(SteerId steer, String message) {
    for (Part part : parts) {
      if (part.steer().equals(Optional.of(steer))) {
        return part;
      }
    }
    return new Part(Optional.of(steer), message);
  }

  private static void addPlain(List<Part> parts, String text) {
    if (!text.isBlank()) {
      parts.add(new Part(Optional.empty(), text));
    }
  }

  private record Framed(SteerId steer, String text, int end) {}

  /** Returns the whole frame that begins at this start of a line, if there is one. */
  private static Optional<Framed> frameAt(String message, int at) {
    if (!message.startsWith(OPEN, at)) {
      return Optional.empty();
    }
    int headEnd = message.indexOf('\n', at);
    int idEnd = at + OPEN.length() + ID_LENGTH;
    if (headEnd < 0 || idEnd > headEnd || message.charAt(headEnd - 1) != ']') {
      return Optional.empty();
    }
    String id = message.substring(at + OPEN.length(), idEnd);
    Optional<Integer> bytes = bytesIn(message.substring(idEnd, headEnd));
    if (bytes.isEmpty()) {
      return Optional.empty();
    }
    int textEnd = afterBytes(message, headEnd + 1, bytes.get());
    String closing = "\n".concat(CLOSE).concat(id).concat("]");
    if (textEnd < 0 || !message.startsWith(closing, textEnd)) {
      return Optional.empty();
    }
    String text = message.substring(headEnd + 1, textEnd);
    return steerId(id).map(steer -> new Framed(steer, text, textEnd + closing.length()));
  }

  private static Optional<SteerId> steerId(String text) {
    try {
      return Optional.of(SteerId.of(text));
    } catch (RefusedException notAnId) {
      return Optional.empty();
    }
  }

  /** Returns the number in {@code from main via cli, 12 bytes: meaning]}. */
  private static Optional<Integer> bytesIn(String head) {
    int end = head.indexOf(" bytes: ");
    int start = end < 0 ? -1 : head.lastIndexOf(' ', end - 1);
    if (start < 0) {
      return Optional.empty();
    }
    try {
      return Optional.of(Integer.parseInt(head.substring(start + 1, end)));
    } catch (NumberFormatException notAFrame) {
      return Optional.empty();
    }
  }

  /** Returns the index after the given number of UTF-8 bytes, or -1 if no character ends there. */
  private static int afterBytes(String text, int from, int bytes) {
    if (bytes < 0) {
      return -1;
    }
    int left = bytes;
    int at = from;
    while (left > 0 && at < text.length()) {
      int point = text.codePointAt(at);
      left -= point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
      at += Character.charCount(point);
    }
    return left == 0 ? at : -1;
  }

  private static List<String> lines(String text) {
    List<String> lines = new ArrayList<>();
    int from = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      lines.add(text.substring(from, end));
      from = end + 1;
    }
    lines.add(text.substring(from));
    return lines;
  }

  private static Optional<ScriptStep> step(String line) {
    String rest = line.length() < 2 || line.charAt(1) != ' ' ? "" : line.substring(2).strip();
    if (rest.isEmpty()) {
      return Optional.empty();
    }
    return switch (line.charAt(0)) {
      case '$' -> Optional.of(shell(rest));
      case '?' -> Optional.of(new ScriptStep.Permission(rest));
      case '!' -> misbehave(rest);
      default -> Optional.empty();
    };
  }

  private static ScriptStep shell(String command) {
    int end = command.indexOf("] ");
    if (command.startsWith("[timeout=") && end > 0) {
      try {
        long seconds = Long.parseLong(command.substring("[timeout=".length(), end));
        return new ScriptStep.Shell(
            command.substring(end + 2).strip(), Optional.of(Duration.ofSeconds(seconds)));
      } catch (NumberFormatException notATimeout) {
        return new ScriptStep.Shell(command, Optional.empty());
      }
    }
    return new ScriptStep.Shell(command, Optional.empty());
  }

  private static Optional<ScriptStep> misbehave(String words) {
    int space = words.indexOf(' ');
    String name = space < 0 ? words : words.substring(0, space);
    Optional<Misbehaviour> how = Misbehaviour.named(name);
    if (how.isEmpty()) {
      return Optional.empty();
    }
    try {
      int count = space < 0 ? 0 : Integer.parseInt(words.substring(space + 1).strip());
      return Optional.of(new ScriptStep.Misbehave(how.get(), count));
    } catch (NumberFormatException notACount) {
      return Optional.empty();
    }
  }
}
