package dev.midcourse.core.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides whether a silent agent is quiet or stuck. An agent is quiet after {@code quietAfter}
 * without a sign of work, and stuck after {@code stuckAfter}. The declared timeout of a running
 * tool comes on top of {@code quietAfter}, and an agent is never stuck before it is quiet.
 */
public record StallPolicy(Duration quietAfter, Duration stuckAfter) {
  public static final StallPolicy DEFAULT =
      new StallPolicy(Duration.ofSeconds(60), Duration.ofMinutes(30));

  private static final Duration MAX_DECLARED = Duration.ofDays(365);

  /** A running tool and the timeout that it declared. */
  public record Tool(String name, Instant since, Optional<Duration> declared) {}

  /** The result of a check, with the time of the next check. */
  public sealed interface Assessment {
    record Fine(Instant lookAgainAt) implements Assessment {}

    record Quiet(String reason, Instant lookAgainAt) implements Assessment {}

    record Stuck(String reason) implements Assessment {}
  }

  /** Checks the time since the last sign of work. Traffic that is not work is no such sign. */
  public Assessment look(Instant lastSign, Optional<Tool> tool, Instant now) {
    Duration declared =
        tool.flatMap(Tool::declared).map(StallPolicy::sensible).orElse(Duration.ZERO);
    Instant since = tool.map(Tool::since).filter(lastSign::isBefore).orElse(lastSign);
    Instant quietAt = since.plus(declared).plus(quietAfter);
    Instant stuckAt = since.plus(longer(stuckAfter, declared.plus(quietAfter)));
    if (!now.isBefore(stuckAt)) {
      return new Assessment.Stuck(describe(since, tool, now));
    }
    if (!now.isBefore(quietAt)) {
      return new Assessment.Quiet(describe(since, tool, now), stuckAt);
    }
    return new Assessment.Fine(quietAt);
  }

  /** Bounds a declared timeout, which is input from outside: from zero to one year. */
  private static Duration sensible(Duration declared) {
    Duration some = longer(declared, Duration.ZERO);
    return some.compareTo(MAX_DECLARED) > 0 ? MAX_DECLARED : some;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static String describe(Instant since, Optional<Tool> tool, Instant now) {
    long seconds = Duration.between(since, now).toSeconds();
    String during = tool.map(t -> " in tool " + t.name()).orElse("");
    String declared =
        tool.flatMap(Tool::declared)
            .map(d -> ", which declared " + d.toSeconds() + " s")
            .orElse("");
    return "no activity for " + seconds + " s" + during + declared;
  }
}
