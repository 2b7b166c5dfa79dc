package dev.midcourse.cli.chat;

import dev.midcourse.cli.screen.Glyphs;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Numbers the messages of a chat and turns each change into the lines that show it. A message that
 * comes again unchanged, as after a lost connection, gives no lines. Every thread may use it.
 */
final class ChatLog {
  private static final String BOT = "midcourse";
  private static final Set<String> LAST_STATUSES =
      Set.of("done", "error", "stopped", "not_delivered", "unconfirmed");

  private final TerminalOutput page;
  private final String user;
  private final Optional<String> place;
  private final List<String> ids = new ArrayList<>();
  private final Map<String, JsonValue.Obj> shown = new HashMap<>();
  private String newestStatus = "";

  ChatLog(TerminalOutput page, String user) {
    this(page, user, Optional.empty());
  }

  /**
   * @param place the words before each message instead of its number, for a chat that is shown
   *     beside another one
   */
  ChatLog(TerminalOutput page, String user, Optional<String> place) {
    this.page = page;
    this.user = user;
    this.place = place;
  }

  /** Waits until the newest own message has its last status, or the time is over. */
  synchronized void awaitSettled(Duration atMost) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    long left = atMost.toMillis();
    while (left > 0 && !isSettled()) {
      wait(left);
      left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
    }
  }

  private boolean isSettled() {
    return ids.reversed().stream()
        .map(id -> shown.getOrDefault(id, JsonValue.Obj.EMPTY))
        .filter(message -> message.text("author").filter(user::equals).isPresent())
        .findFirst()
        .flatMap(message -> message.text("status"))
        .filter(LAST_STATUSES::contains)
        .isPresent();
  }

  /** What the newest status of an own message says; blank if there is none. */
  synchronized String status() {
    return newestStatus;
  }

  synchronized Optional<String> id(int number) {
    return number >= 1 && number <= ids.size()
        ? Optional.of(ids.get(number - 1))
        : Optional.empty();
  }

  /** The newest message that has buttons. */
  synchronized Optional<JsonValue.Obj> newestCard() {
    for (int i = ids.size() - 1; i >= 0; i--) {
      JsonValue.Obj message = shown.getOrDefault(ids.get(i), JsonValue.Obj.EMPTY);
      if (!buttons(message).isEmpty()) {
        return Optional.of(message);
      }
    }
    return Optional.empty();
  }

  static List<JsonValue.Obj> buttons(JsonValue.Obj message) {
    return message.get("buttons").orElse(new JsonValue.Null()) instanceof JsonValue.Arr array
        ? array.objects()
        : List.of();
  }

  /**
   * Takes a message that is new or has changed; returns the lines for it.
   *
   * @param withStatus whether a change of the status gives a line of its own
   */
  synchronized List<String> take(JsonValue.Obj message, boolean withStatus) {
    notifyAll();
    String id = message.text("id").orElse("");
    JsonValue.Obj before = shown.put(id, message);
    if (before == null) {
      ids.add(id);
      List<String> lines = new ArrayList<>(body(message, ids.size(), ""));
      status(message, ids.size()).filter(text -> withStatus).ifPresent(lines::add);
      return lines;
    }
    int number = ids.indexOf(id) + 1;
    List<String> lines = new ArrayList<>();
    if (flag(message, "deleted") && !flag(before, "deleted")) {
      lines.add(page.paint(TextColor.DIM, "[" + number + "] was deleted"));
    } else if (!text(message).equals(text(before))
        || buttons(message).size() != buttons(before).size()) {
      lines.addAll(body(message, number, "changed: "));
    }
    if (!message.text("status").equals(before.text("status"))) {
      status(message, number).filter(text -> withStatus).ifPresent(lines::add);
    }
    return lines;
  }

  private Optional<String> status(JsonValue.Obj message, int number) {
    Optional<String> line =
        message.text("status").map(status -> "[" + number + "] " + mark(status) + words(status));
    if (message.text("author").filter(user::equals).isPresent()) {
      line.ifPresent(text -> newestStatus = text);
    }
    return line;
  }

  private String mark(String status) {
    boolean good =
        switch (status) {
          case "running", "steered", "queued", "done" -> true;
          default -> false;
        };
    String mark = page.glyphs() == Glyphs.UNICODE ? (good ? "✓ " : "✗ ") : (good ? "+ " : "- ");
    return page.paint(good ? TextColor.GREEN : TextColor.YELLOW, mark);
  }

  private static String words(String status) {
    return switch (status) {
      case "steered" -> "added to the current task";
      case "not_delivered" -> "not delivered";
      default -> TextSanitizer.line(status.replace('_', ' '));
    };
  }

  private List<String> body(JsonValue.Obj message, int number, String prefix) {
    Optional<String> author = message.text("author");
    String name =
        author
            .map(TextSanitizer::line)
            .map(text -> page.paint(text.equals(user) ? TextColor.DIM : TextColor.BOLD, text))
            .orElseGet(() -> page.paint(TextColor.CYAN, BOT));
    String thread =
        message.text("thread").map(text -> " (" + TextSanitizer.line(text) + ")").orElse("");
    String reply =
        message
            .text("reply_to")
            .map(ids::indexOf)
            .filter(index -> index >= 0)
            .map(index -> " to [" + (index + 1) + "]")
            .orElse("");
    String head = place.orElse("[" + number + "]") + " " + name + thread + reply + ": " + prefix;
    List<String> lines = new ArrayList<>();
    String text = flag(message, "deleted") ? "(deleted)" : TextSanitizer.lines(text(message));
    List<String> rows = text.lines().toList();
    lines.add(head + (rows.isEmpty() ? "" : rows.getFirst()));
    rows.stream().skip(1).forEach(row -> lines.add("    " + row));
    message.text("file").ifPresent(path -> lines.add("    file: " + TextSanitizer.line(path)));
    int button = 1;
    for (JsonValue.Obj one : buttons(message)) {
      String label = TextSanitizer.line(one.text("label").orElse(""));
      lines.add("    /" + button++ + "  " + label);
    }
    return lines;
  }

  private static String text(JsonValue.Obj message) {
    return message.text("text").orElse("");
  }

  private static boolean flag(JsonValue.Obj message, String field) {
    return message.text(field).filter("true"::equals).isPresent();
  }
}
