package dev.midcourse.cli.story;

import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.screen.Clean;
import dev.midcourse.cli.screen.Ink;
import dev.midcourse.cli.screen.Signs;
import dev.midcourse.core.json.JsonValue;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Tells events in words, one line for each that a person cares about. It remembers which tool each
 * call was for, since only its start says so; a kind it does not know is told by its name.
 */
public final class Teller {
  private static final int MOST_CALLS = 1000;

  private final Signs signs;
  private final Map<String, String> calls = new HashMap<>();

  public Teller(Signs signs) {
    this.signs = signs;
  }

  public Optional<Line> tell(JsonValue.Obj event) {
    String kind = text(event, "kind");
    return Optional.of(
        switch (kind) {
          case "run_queued" -> Line.detail("queued for " + text(event, "agent"));
          case "run_picked" -> Line.detail("picked, attempt " + text(event, "attempt"));
          case "run_restarted" ->
              Line.news(Ink.BOLD, "restarted" + (event.is("fresh") ? " in a new session" : ""));
          case "agent_started" ->
              Line.detail(
                  "agent " + text(event, "version") + " started, pid " + text(event, "pid"));
          case "agent_found" ->
              Line.news(Ink.PLAIN, "found its agent again, pid " + text(event, "pid"));
          case "session_named" -> Line.detail("session " + text(event, "session_id"));
          case "turn_started" -> Line.news(Ink.DIM, "turn " + text(event, "turn"));
          case "said" -> Line.news(Ink.PLAIN, text(event, "text"));
          case "tool_started" -> toolStarted(event);
          case "tool_finished" -> toolFinished(event);
          case "progressed" -> Line.detail(text(event, "phase") + ": " + text(event, "summary"));
          case "turn_ended" -> turnEnded(event);
          case "interrupting" -> Line.news(Ink.YELLOW, "interrupting turn " + text(event, "turn"));
          case "used" -> used(event.object("more"));
          case "waiting" -> Line.news(Ink.YELLOW, "waits: " + text(event, "reason"));
          case "garbage" ->
              Line.detail(
                  text(event, "bytes")
                      + " bytes that are no message: "
                      + Clean.line(text(event, "excerpt")));
          case "quiet" ->
              Line.news(Ink.YELLOW, signs.attention() + " quiet: " + text(event, "reason"));
          case "quiet_over" -> Line.news(Ink.PLAIN, "not quiet any more");
          case "attempt_lost" -> attemptLost(event);
          case "stop_asked" -> Line.news(Ink.YELLOW, "stop asked for" + by(event, "author"));
          case "limit_reached" ->
              Line.news(Ink.YELLOW, signs.attention() + " " + text(event, "reason"));
          case "run_ended" -> runEnded(event);
          case "run_reviewed" ->
              Line.news(
                  Ink.BOLD,
                  text(event, "verdict") + by(event, "author") + after(": ", text(event, "note")));
          case "completion_accepted" ->
              Line.news(Ink.GREEN, signs.yes() + " completion holds" + onBranch(event));
          case "completion_rejected" -> completionRejected(event);
          case "denied" ->
              Line.news(
                  Ink.RED,
                  "denied"
                      + by(event, "author")
                      + ": "
                      + text(event, "what")
                      + after(", ", text(event, "why"))
                      + event.number("times").map(times -> ", " + times + " times").orElse(""));
          case "noted" -> Line.news(Ink.DIM, text(event, "text"));
          default -> kind.startsWith("steer_") ? steer(kind, event) : askOrOther(kind, event);
        });
  }

  private Line toolStarted(JsonValue.Obj event) {
    String what = text(event, "tool") + after(": ", Clean.line(text(event, "summary")));
    if (calls.size() < MOST_CALLS) {
      calls.put(text(event, "call"), what);
    }
    return Line.news(Ink.CYAN, signs.begins() + " " + what);
  }

  private Line toolFinished(JsonValue.Obj event) {
    String tool = calls.remove(text(event, "call"));
    String what = tool == null ? text(event, "call") : tool;
    String how = after(" " + signs.dot() + " ", Clean.line(text(event, "summary")));
    return event.is("ok")
        ? Line.detail(signs.yes() + " " + what + how)
        : Line.news(Ink.RED, signs.no() + " " + what + how);
  }

  private static Line turnEnded(JsonValue.Obj event) {
    String how = text(event, "how");
    String what = "turn " + text(event, "turn") + " " + how + after(": ", text(event, "reason"));
    return switch (how) {
      case "completed" -> Line.detail(what);
      case "error" -> Line.news(Ink.RED, what);
      default -> Line.news(Ink.YELLOW, what);
    };
  }

  private static Line used(JsonValue.Obj more) {
    return Line.detail(
        "used "
            + text(more, "input_tokens")
            + " tokens in, "
            + text(more, "output_tokens")
            + " out");
  }

  private Line attemptLost(JsonValue.Obj event) {
    String kept = event.is("session_kept") ? "goes on in its session" : "begins a new session";
    return Line.news(
        Ink.YELLOW,
        signs.attention()
            + " attempt "
            + text(event, "attempt")
            + " lost: "
            + text(event, "reason")
            + "; the next "
            + kept);
  }

  private static String onBranch(JsonValue.Obj event) {
    int files = event.texts("files_changed").size();
    return after(" on ", text(event, "branch"))
        + ": "
        + files
        + (files == 1 ? " file" : " files")
        + " changed"
        + after(", tests: ", text(event, "test_result"));
  }

  private Line completionRejected(JsonValue.Obj event) {
    String then = event.is("last_chance") ? "" : "; it is asked once more";
    return Line.news(
        Ink.YELLOW,
        signs.attention()
            + " completion does not hold: "
            + String.join("; ", event.texts("missing"))
            + then);
  }

  private Line runEnded(JsonValue.Obj event) {
    String state = text(event, "state");
    long ended = event.number("processes_ended").orElse(0L);
    String processes =
        ended == 0 ? "" : ", " + ended + (ended == 1 ? " process" : " processes") + " ended";
    return Line.news(StateInk.of(state), state + processes);
  }

  private Line steer(String kind, JsonValue.Obj event) {
    String id = text(event, "steer_id");
    String head = "steer " + ReceiptInfo.shortened(id) + " ";
    return switch (kind) {
      case "steer_stored" ->
          Line.news(
              Ink.BLUE,
              head
                  + "stored"
                  + mode(event)
                  + by(event, "author")
                  + after(": ", Clean.line(text(event, "text"))));
      case "steer_raised" ->
          Line.news(
              Ink.BLUE,
              head
                  + text(event, "rung")
                  + after(" " + signs.dot() + " ", Clean.line(text(event, "evidence"))));
      case "steer_returned" ->
          Line.news(Ink.YELLOW, head + "waits again: " + text(event, "reason"));
      case "steer_carried" ->
          Line.news(Ink.YELLOW, head + "carried to " + text(event, "carried_to"));
      case "steer_edited" ->
          Line.news(Ink.BLUE, head + "is now: " + Clean.line(text(event, "text")));
      case "steer_promoted" -> Line.news(Ink.BLUE, head + "promoted");
      case "steer_ended" -> steerEnded(head, event);
      default -> Line.detail(kind);
    };
  }

  private static Line steerEnded(String head, JsonValue.Obj event) {
    String how = text(event, "ended");
    String what = head + "ended: " + how + after(", ", Clean.line(text(event, "reason")));
    return switch (how) {
      case "answered", "carried" -> Line.detail(what); // told by its last rung and by its handover
      default -> Line.news(Ink.YELLOW, what);
    };
  }

  private Line askOrOther(String kind, JsonValue.Obj event) {
    return switch (kind) {
      case "asked" ->
          Line.news(
              Ink.YELLOW,
              signs.attention()
                  + " asks "
                  + text(event, "ask_kind")
                  + " ("
                  + text(event, "ask")
                  + "): "
                  + text(event, "question")
                  + after("\n", text(event, "detail")));
      case "ask_answered" ->
          Line.news(
              Ink.PLAIN,
              text(event, "ask") + " answered" + by(event, "by") + ": " + text(event, "answer"));
      case "ask_closed" -> Line.detail(text(event, "ask") + " closed: " + text(event, "how"));
      default -> Line.detail(kind);
    };
  }

  private static String mode(JsonValue.Obj event) {
    String mode = text(event, "mode");
    return mode.isEmpty() || mode.equals("steer") ? "" : " (" + mode + ")";
  }

  /** Who did it, unless it was whoever sits at this machine. */
  private static String by(JsonValue.Obj event, String field) {
    JsonValue.Obj author = event.object(field);
    String group = text(author, "group");
    return group.isEmpty() || group.equals("main") ? "" : " by " + group;
  }

  private static String after(String before, String text) {
    return text.isBlank() ? "" : before + text;
  }

  private static String text(JsonValue.Obj object, String name) {
    return object.text(name).orElse("");
  }
}
