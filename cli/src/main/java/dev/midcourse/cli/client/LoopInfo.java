package dev.midcourse.cli.client;

import dev.midcourse.core.json.JsonValue;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** An autopilot loop as the hub sends it. */
public record LoopInfo(JsonValue.Obj fields) {
  public String id() {
    return text("loop_id");
  }

  public String text(String name) {
    return fields.text(name).orElse("");
  }

  public long number(String name) {
    return fields.number(name).orElse(0L);
  }

  public String phase() {
    return text("phase");
  }

  /** Why it waits for a person; blank if it does not. */
  public String parkReason() {
    return fields.object("parked").text("reason").orElse("");
  }

  public String question() {
    return fields.object("parked").text("question").orElse("");
  }

  public boolean hasEnded() {
    return phase().equals("done") || phase().equals("stopped");
  }

  /** Whether a person has to do something: answer a question, or review a commit. */
  public boolean needsPerson() {
    return phase().equals("parked") || waitsForReview();
  }

  public boolean waitsForReview() {
    return phase().equals("check")
        && text("reviewer").equals("me")
        && fields.object("check").text("review").filter("pending"::equals).isPresent();
  }

  /** Where a steer of this scope would go now. */
  public String destination(String scope) {
    return fields.object("destinations").text(scope).orElse("");
  }

  public List<JsonValue.Obj> findings() {
    return fields.objects("findings");
  }

  /** The newest run of the loop. */
  public Optional<String> newestRun() {
    List<JsonValue.Obj> calls = fields.objects("calls");
    return calls.isEmpty() ? Optional.empty() : calls.getLast().text("run_id");
  }

  /** The address of its change in a forge, if it has one. */
  public Optional<String> changeUrl() {
    JsonValue.Obj change = fields.object("change");
    return change.text("url").or(() -> change.text("link"));
  }

  /** The time from which its age counts: its end, its question, or its start. */
  public Optional<Instant> since() {
    return fields
        .text("ended_at")
        .or(() -> fields.object("parked").text("since"))
        .or(() -> fields.text("created_at"))
        .map(Instant::parse);
  }
}
