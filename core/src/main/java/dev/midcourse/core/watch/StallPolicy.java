package dev.midcourse.core.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Decides whether a silent agent is quiet or stuck. A quiet agent needs the attention of a person;
 * a stuck one is given up.
 *
 * <p>An agent is quiet after {@code quietAfter} without a sign of work, and stuck after {@code
 * stuckAfter}. While a tool runs, silence is usual, so more time is allowed: the timeout that the
 * tool declared and {@code quietAfter} on top; without one {@code commandQuietAfter} for a command
 * or a subagent, and {@code toolQuietAfter} for any other tool. An agent is never stuck before it
 * is quiet.
 */
public record StallPolicy(
    Duration quietAfter, Duration toolQuietAfter, Duration commandQuietAfter, Duration stuckAfter) {
  public static final StallPolicy DEFAULT =
      new StallPolicy(
          Duration.ofSeconds(60),
          Duration.ofMinutes(5),
          Duration.ofMinutes(30),
          Duration.ofMinutes(30));

  private static final Duration MAX_DECLARED = Duration.ofDays(365);

  /** Words in the names of tools that run commands or subagents, which may be silent for long. */
  private static final Set<String> COMMAND_WORDS =
      Set.of(
          "bash",
          "shell",
          "exec",
          "execute",
          "command",
          "cmd",
          "terminal",
          "powershell",
          "task",
          "agent",
          "subagent");

  /** A running tool and the timeout that it declared. */
  public record Tool(String name, Instant since, Optional<Duration> declared) {

    /** Returns whether the tool runs a command or another agent. */
    boolean runsCommand() {
      String words = name.replaceAll("([a-z])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT);
      return Arrays.stream(words.split("[^a-z]+", -1)).anyMatch(COMMAND_WORDS::contains);
    }
  }

  /** The result of a check, with the time of the next check. */
  public sealed interface Assessment {
    record Fine(Instant lookAgainAt) implements Assessment {}

    record Quiet(String reason, Instant lookAgainAt) implements Assessment {}

    record Stuck(String reason) implements Assessment {}
  }

  /**
   * Checks the time since the last sign of work. Traffic that is not work is no such sign.
   *
   * @param running the tools that run now; the one that may be silent longest counts
   */
  public Assessment look(Instant lastSign, Collection<Tool> running, Instant now) {
    Optional<Tool> tool = running.stream().max(Comparator.comparing(this::quietAt));
    Instant since = tool.map(Tool::since).filter(lastSign::isBefore).orElse(lastSign);
    Instant quietAt = since.plus(tool.map(this::allowedSilence).orElse(quietAfter));
    Instant stuckAt = since.plus(tool.map(this::allowedUntilStuck).orElse(stuckAfter));
    if (stuckAt.isBefore(quietAt)) {
      stuckAt = quietAt;
    }
    if (!now.isBefore(stuckAt)) {
      return new Assessment.Stuck(describe(since, tool, now));
    }
    if (!now.isBefore(quietAt)) {
      return new Assessment.Quiet(describe(since, tool, now), stuckAt);
    }
    return new Assessment.Fine(quietAt);
  }

  private Instant quietAt(Tool tool) {
    return tool.since().plus(allowedSilence(tool));
  }

  private Duration allowedSilence(Tool tool) {
    return tool.declared()
        .map(declared -> sensible(declared).plus(quietAfter))
        .orElseGet(() -> tool.runsCommand() ? commandQuietAfter : toolQuietAfter);
  }

  /** A tool that declared no timeout gets {@code stuckAfter} on top of the silence it may have. */
  private Duration allowedUntilStuck(Tool tool) {
    return tool.declared().isPresent() ? stuckAfter : allowedSilence(tool).plus(stuckAfter);
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
