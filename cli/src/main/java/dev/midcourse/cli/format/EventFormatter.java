package dev.midcourse.cli.format;

import dev.midcourse.cli.client.HubTimes;
import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.screen.Glyphs;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.core.json.JsonValue;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Formats events as text, one line for each event that matters to a person. Keeps the tool of each
 * call, because only the start event of a call names it. An unknown kind is shown by its name.
 */
public final class EventFormatter {
  private static final int MAX_CALLS = 1000;

  private final Glyphs glyphs;
  private final Map<String, String> calls = new HashMap<>();

  public EventFormatter(Glyphs glyphs) {
    this.glyphs = glyphs;
  }

  /** Returns the line for an event; empty for an event that says nothing new. */
  public Optional<EventLine> tell(JsonValue.Obj event) {
    boolean progress = text(event, "kind").equals("progressed");
    return line(event).filter(line -> !progress || !line.text().isEmpty());
  }

  private Optional<EventLine> line(JsonValue.Obj event) {
    String kind = text(event, "kind");
    return Optional.of(
        switch (kind) {
          case "run_queued" -> EventLine.detail("queued for " + text(event, "agent"));
          case "run_picked" -> EventLine.detail("started, attempt " + text(event, "attempt"));
          case "run_restarted" ->
              EventLine.news(
                  TextColor.BOLD, "restarted" + (event.is("fresh") ? " in a new session" : ""));
          case "agent_started" ->
              EventLine.detail(
                  "agent " + text(event, "version") + " started, pid " + text(event, "pid"));
          case "agent_found" ->
              EventLine.news(TextColor.PLAIN, "reattached to the agent, pid " + text(event, "pid"));
          case "session_named" -> EventLine.detail("session " + text(event, "session_id"));
          case "turn_started" -> EventLine.news(TextColor.DIM, "turn " + text(event, "turn"));
          case "said" -> EventLine.news(TextColor.PLAIN, text(event, "text"));
          case "tool_started" -> toolStarted(event);
          case "tool_finished" -> toolFinished(event);
          case "progressed" -> progressed(event);
          case "turn_ended" -> turnEnded(event);
          case "idle" ->
              EventLine.news(
                  TextColor.DIM,
                  event
                      .text("until")
                      .flatMap(HubTimes::of)
                      .map(RunStatusText::idle)
                      .orElse("idle, waiting for the next message"));
          case "idle_over" -> EventLine.detail("idle time over");
          case "interrupting" ->
              EventLine.news(TextColor.YELLOW, "interrupting turn " + text(event, "turn"));
          case "used" -> used(event.object("more"));
          case "waiting" -> EventLine.news(TextColor.YELLOW, "waiting: " + text(event, "reason"));
          case "garbage" ->
              EventLine.detail(
                  text(event, "bytes")
                      + " bytes of invalid output: "
                      + TextSanitizer.line(text(event, "excerpt")));
          case "quiet" ->
              EventLine.news(TextColor.YELLOW, glyphs.attention() + " " + text(event, "reason"));
          case "quiet_over" -> EventLine.news(TextColor.PLAIN, "active again");
          case "alarm_dismissed" ->
              EventLine.news(
                  TextColor.DIM,
                  "alarm dismissed"
                      + by(event, "author")
                      + ": "
                      + NeedText.of(text(event, "needs")));
          case "attempt_lost" -> attemptLost(event);
          case "stop_asked" ->
              EventLine.news(TextColor.YELLOW, "stop requested" + by(event, "author"));
          case "limit_reached" ->
              EventLine.news(TextColor.YELLOW, glyphs.attention() + " " + text(event, "reason"));
          case "run_ended" -> runEnded(event);
          case "run_reviewed" ->
              EventLine.news(
                  TextColor.BOLD,
                  text(event, "verdict") + by(event, "author") + after(": ", text(event, "note")));
          case "completion_accepted" ->
              EventLine.news(TextColor.GREEN, glyphs.yes() + " completion valid" + onBranch(event));
          case "completion_rejected" -> completionRejected(event);
          case "denied" ->
              EventLine.news(
                  TextColor.RED,
                  "denied"
                      + by(event, "author")
                      + ": "
                      + text(event, "what")
                      + after(", ", text(event, "why"))
                      + event.number("times").map(times -> ", " + times + " times").orElse(""));
          case "loop_moved" ->
              EventLine.news(
                  TextColor.DIM, "loop " + text(event, "phase") + ": " + text(event, "text"));
          case "noted" -> EventLine.news(TextColor.DIM, text(event, "text"));
          default -> kind.startsWith("steer_") ? steer(kind, event) : askOrOther(kind, event);
        });
  }

  /** Phases that the engine names repeat the text, the tool or the turn of another event. */
  private static EventLine progressed(JsonValue.Obj event) {
    String phase = text(event, "phase");
    boolean repeats =
        phase.equals("thinking") || phase.equals("working") || phase.startsWith("using ");
    return EventLine.detail(repeats ? "" : phase + ": " + text(event, "summary"));
  }

  private EventLine toolStarted(JsonValue.Obj event) {
    String what =
        TextSanitizer.exactLine(text(event, "tool"))
            + after(": ", TextSanitizer.exactLine(text(event, "summary")));
    if (calls.size() < MAX_CALLS) {
      calls.put(text(event, "call"), what);
    }
    return EventLine.news(TextColor.CYAN, glyphs.begins() + " " + what);
  }

  private EventLine toolFinished(JsonValue.Obj event) {
    String tool = calls.remove(text(event, "call"));
    String what = tool == null ? text(event, "call") : tool;
    String how = after(" " + glyphs.dot() + " ", TextSanitizer.line(text(event, "summary")));
    return event.is("ok")
        ? EventLine.detail(glyphs.yes() + " " + what + how)
        : EventLine.news(TextColor.RED, glyphs.no() + " " + what + how);
  }

  private static EventLine turnEnded(JsonValue.Obj event) {
    String how = text(event, "how");
    String reason = text(event, "reason");
    String why = reason.equals(how) ? "" : after(": ", reason);
    String what = "turn " + text(event, "turn") + " " + how + why;
    return switch (how) {
      case "completed" -> EventLine.detail(what);
      case "error" -> EventLine.news(TextColor.RED, what);
      default -> EventLine.news(TextColor.YELLOW, what);
    };
  }

  private static EventLine used(JsonValue.Obj more) {
    return EventLine.detail(
        "usage: "
            + text(more, "input_tokens")
            + " tokens in, "
            + text(more, "output_tokens")
            + " out");
  }

  private EventLine attemptLost(JsonValue.Obj event) {
    String kept = event.is("session_kept") ? "resumes the session" : "starts a new session";
    return EventLine.news(
        TextColor.YELLOW,
        glyphs.attention()
            + " attempt "
            + text(event, "attempt")
            + " failed: "
            + text(event, "reason")
            + "; the next attempt "
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

  private EventLine completionRejected(JsonValue.Obj event) {
    String then = event.is("last_chance") ? "" : "; asked for a correction";
    return EventLine.news(
        TextColor.YELLOW,
        glyphs.attention()
            + " completion invalid: "
            + String.join("; ", event.texts("missing"))
            + then);
  }

  private EventLine runEnded(JsonValue.Obj event) {
    String state = text(event, "state");
    long ended = event.number("processes_ended").orElse(0L);
    String processes =
        ended == 0 ? "" : ", " + ended + (ended == 1 ? " process" : " processes") + " ended";
    boolean failed = state.startsWith("failed");
    String why = failed ? after(": ", TextSanitizer.line(text(event, "result"))) : "";
    return EventLine.news(StateColor.of(state), state + why + processes);
  }

  private EventLine steer(String kind, JsonValue.Obj event) {
    String id = text(event, "steer_id");
    String head = "steer " + ReceiptInfo.shortened(id) + " ";
    return switch (kind) {
      case "steer_stored" ->
          EventLine.news(
              TextColor.BLUE,
              head
                  + "stored"
                  + mode(event)
                  + by(event, "author")
                  + after(": ", TextSanitizer.line(text(event, "text"))));
      case "steer_raised" ->
          EventLine.news(
              TextColor.BLUE,
              head
                  + text(event, "rung")
                  + after(" " + glyphs.dot() + " ", TextSanitizer.line(text(event, "evidence"))));
      case "steer_returned" ->
          EventLine.news(TextColor.YELLOW, head + "pending again: " + text(event, "reason"));
      case "steer_carried" ->
          EventLine.news(TextColor.YELLOW, head + "moved to " + text(event, "carried_to"));
      case "steer_edited" ->
          EventLine.news(
              TextColor.BLUE, head + "edited: " + TextSanitizer.line(text(event, "text")));
      case "steer_promoted" -> EventLine.news(TextColor.BLUE, head + "promoted");
      case "steer_ended" -> steerEnded(head, event);
      default -> EventLine.detail(kind);
    };
  }

  private static EventLine steerEnded(String head, JsonValue.Obj event) {
    String how = text(event, "ended");
    String what = head + "ended: " + how + after(", ", TextSanitizer.line(text(event, "reason")));
    return switch (how) {
      case "answered", "carried" ->
          EventLine.detail(what); // other lines show the last rung and the handover
      default -> EventLine.news(TextColor.YELLOW, what);
    };
  }

  private EventLine askOrOther(String kind, JsonValue.Obj event) {
    return switch (kind) {
      case "asked" ->
          EventLine.news(
              TextColor.YELLOW,
              glyphs.attention()
                  + " "
                  + NeedText.ofAsk(text(event, "ask_kind"))
                  + " ("
                  + text(event, "ask")
                  + "): "
                  + TextSanitizer.exactLine(text(event, "question"))
                  + after("\n", TextSanitizer.exactLines(text(event, "detail"))));
      case "ask_answered" ->
          EventLine.news(
              TextColor.PLAIN,
              text(event, "ask") + " answered" + by(event, "by") + ": " + text(event, "answer"));
      case "ask_closed" -> EventLine.detail(text(event, "ask") + " closed: " + text(event, "how"));
      default -> EventLine.detail(kind);
    };
  }

  private static String mode(JsonValue.Obj event) {
    String mode = text(event, "mode");
    return mode.isEmpty() || mode.equals("steer") ? "" : " (" + mode.replace('_', '-') + ")";
  }

  /** Returns the group of the author; empty for main, the user of this machine. */
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
