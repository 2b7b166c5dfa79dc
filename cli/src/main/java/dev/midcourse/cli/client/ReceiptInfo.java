package dev.midcourse.cli.client;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The receipt of a steer as the hub returns it. */
public record ReceiptInfo(JsonValue.Obj json) {
  private static final int SHORT = 8;

  /** A rung that the steer reached, when, how long after it was stored, and the evidence. */
  public record Claim(
      String rung, Optional<Instant> at, Optional<Duration> after, String evidence) {}

  public String id() {
    return json.text("steer_id").orElse("");
  }

  /** Returns the beginning of the id, which is long enough for people. */
  public String shortId() {
    return shortened(id());
  }

  public static String shortened(String id) {
    return id.length() > SHORT ? id.substring(0, SHORT) : id;
  }

  public String run() {
    return json.text("run_id").orElse("");
  }

  public String mode() {
    return json.text("mode").orElse("");
  }

  /** Returns the mode as people read it: {@code follow-up}, not {@code follow_up}. */
  public String shownMode() {
    return mode().replace('_', '-');
  }

  public String rung() {
    return json.text("rung").orElse("");
  }

  public String steerText() {
    return json.text("text").orElse("");
  }

  public Optional<String> text(String name) {
    return json.text(name).filter(text -> !text.isBlank());
  }

  public Optional<Instant> at(String name) {
    return json.text(name).flatMap(HubTimes::of);
  }

  public List<Claim> claims() {
    List<Claim> claims = new ArrayList<>();
    for (JsonValue.Obj claim : json.objects("rungs")) {
      claims.add(
          new Claim(
              claim.text("rung").orElse(""),
              claim.text("at").flatMap(HubTimes::of),
              claim.number("after_ms").map(Duration::ofMillis),
              claim.text("evidence").orElse("")));
    }
    return claims;
  }

  /** Returns the time from stored to the end. */
  public Optional<Duration> endedAfter() {
    return json.number("ended_after_ms").map(Duration::ofMillis);
  }

  public boolean ended() {
    return json.text("ended").isPresent();
  }

  public boolean reached(Rung wanted) {
    return ExitCode.named(Rung.values(), rung()).filter(r -> r.compareTo(wanted) >= 0).isPresent();
  }

  /** Returns 0 if the rung was reached; otherwise the exit code for the end of the steer. */
  public ExitCode exitCode(Rung wanted) {
    if (reached(wanted)) {
      return ExitCode.DONE;
    }
    return json.text("ended")
        .flatMap(name -> ExitCode.named(SteerEnd.values(), name))
        .map(ExitCode::of)
        .orElse(ExitCode.TIME_OVER);
  }
}
