package dev.midcourse.core.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Tells silence from trouble. A run is quiet when nothing came for a minute beyond the running
 * tool's declared timeout, and stuck after half an hour or that same moment, whichever is later.
 */
public record StallPolicy(Duration quietAfter, Duration stuckAfter) {
  public static final StallPolicy DEFAULT =
      new StallPolicy(Duration.ofSeconds(60), Duration.ofMinutes(30));

  private static final Duration MAX_DECLARED = Duration.ofDays(365);

  /** A tool in use and the time it said it may take. */
  public record Tool(String name, Instant since, Optional<Duration> declared) {}

  /** What the watcher finds, and when to look again. */
  public sealed interface Finding {
    record Fine(Instant lookAgainAt) implements Finding {}

    record Quiet(String reason, Instant lookAgainAt) implements Finding {}

    record Stuck(String reason) implements Finding {}
  }

  /** Judges by the last sign of work; traffic that is not work must not be passed as one. */
  public Finding look(Instant lastSign, Optional<Tool> tool, Instant now) {
    Duration declared =
        tool.flatMap(Tool::declared).map(StallPolicy::sensible).orElse(Duration.ZERO);
    Instant since = tool.map(Tool::since).filter(lastSign::isBefore).orElse(lastSign);
    Instant quietAt = since.plus(declared).plus(quietAfter);
    Instant stuckAt = since.plus(longer(stuckAfter, declared.plus(quietAfter)));
    if (!now.isBefore(stuckAt)) {
      return new Finding.Stuck(words(since, tool, now));
    }
    if (!now.isBefore(quietAt)) {
      return new Finding.Quiet(words(since, tool, now), stuckAt);
    }
    return new Finding.Fine(quietAt);
  }

  /** What an agent declares is outside input: not before now, not beyond all calendars. */
  private static Duration sensible(Duration declared) {
    Duration some = longer(declared, Duration.ZERO);
    return some.compareTo(MAX_DECLARED) > 0 ? MAX_DECLARED : some;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static String words(Instant since, Optional<Tool> tool, Instant now) {
    long seconds = Duration.between(since, now).toSeconds();
    String during = tool.map(t -> " in tool " + t.name()).orElse("");
    String declared =
        tool.flatMap(Tool::declared)
            .map(d -> ", which declared " + d.toSeconds() + " s")
            .orElse("");
    return "no sign of work for " + seconds + " s" + during + declared;
  }
}
