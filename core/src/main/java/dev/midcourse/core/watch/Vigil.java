package dev.midcourse.core.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Tells silence from trouble. A run is quiet when nothing came for a minute beyond the running
 * tool's declared timeout, and stuck after half an hour or the declared timeout, whichever is more.
 */
public record Vigil(Duration quietAfter, Duration stuckAfter) {
  public static final Vigil USUAL = new Vigil(Duration.ofSeconds(60), Duration.ofMinutes(30));

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
    Duration declared = tool.flatMap(Tool::declared).orElse(Duration.ZERO);
    Instant since = tool.map(Tool::since).filter(lastSign::isBefore).orElse(lastSign);
    Instant quietAt = since.plus(declared).plus(quietAfter);
    Instant stuckAt =
        since.plus(declared.compareTo(stuckAfter) > 0 ? declared.plus(quietAfter) : stuckAfter);
    if (!now.isBefore(stuckAt)) {
      return new Finding.Stuck(words(since, tool, now));
    }
    if (!now.isBefore(quietAt)) {
      return new Finding.Quiet(words(since, tool, now), stuckAt);
    }
    return new Finding.Fine(quietAt.isBefore(stuckAt) ? quietAt : stuckAt);
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
