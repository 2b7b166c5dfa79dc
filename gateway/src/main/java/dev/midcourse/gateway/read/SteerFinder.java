package dev.midcourse.gateway.read;

import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.steer.SteerFrameReader;
import dev.midcourse.core.steer.SteerFrameReader.FoundFrame;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds the steers of a request: whole frames in the places where the agent puts them. */
final class SteerFinder {
  private static final byte[] OPEN = "[midcourse steer ".getBytes(StandardCharsets.US_ASCII);

  /** The words with which Claude Code announces a message that came while it worked. */
  private static final String ANNOUNCEMENT =
      "The user sent a new message while you were working:\n";

  private static final String REMINDER = "<system-reminder>";
  private static final String REMINDER_END = "</system-reminder>";

  private SteerFinder() {}

  /**
   * Returns whether the bytes can contain a frame. A frame is ASCII, so JSON does not escape it.
   */
  static boolean canContain(byte[] body, int length) {
    int last = length - OPEN.length;
    for (int at = 0; at <= last; at++) {
      if (body[at] == OPEN[0] && matches(body, at)) {
        return true;
      }
    }
    return false;
  }

  private static boolean matches(byte[] body, int at) {
    for (int i = 1; i < OPEN.length; i++) {
      if (body[at + i] != OPEN[i]) {
        return false;
      }
    }
    return true;
  }

  /** Returns each steer once, in its best place. */
  static List<PresentSteer> find(Wire wire, Obj body) {
    Map<SteerId, SteerPlace> found = new LinkedHashMap<>();
    for (UserTexts.UserText text : UserTexts.of(wire, body)) {
      for (FoundFrame frame : SteerFrameReader.find(text.text())) {
        if (isInPlace(text, frame)) {
          found.merge(frame.steer(), text.place(), (a, b) -> a.compareTo(b) <= 0 ? a : b);
        }
      }
    }
    return found.entrySet().stream()
        .map(entry -> new PresentSteer(entry.getKey(), entry.getValue()))
        .toList();
  }

  /**
   * A message of the user may begin with reminders of the agent, which may quote files. So a frame
   * inside a reminder, and in every text that is not the user's, must follow the announcement.
   */
  private static boolean isInPlace(UserTexts.UserText text, FoundFrame frame) {
    String before = text.text().substring(0, frame.from());
    boolean inReminder = before.lastIndexOf(REMINDER) > before.lastIndexOf(REMINDER_END);
    return switch (text.place()) {
      case MESSAGE -> !inReminder || isAnnounced(before);
      case REMINDER -> isAnnounced(before);
      case TOOL_RESULT -> inReminder && isAnnounced(before);
    };
  }

  /** Several messages may follow one announcement. */
  private static boolean isAnnounced(String before) {
    int at = before.lastIndexOf(ANNOUNCEMENT);
    if (at < 0) {
      return false;
    }
    String between = before.substring(at + ANNOUNCEMENT.length());
    List<FoundFrame> frames = SteerFrameReader.find(between);
    String rest = frames.isEmpty() ? between : between.substring(frames.getLast().to());
    boolean fromTheStart = frames.isEmpty() || frames.getFirst().from() == 0;
    return fromTheStart && rest.isBlank();
  }
}
