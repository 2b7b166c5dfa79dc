package dev.midcourse.core.run;

import dev.midcourse.core.agent.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The limits of one run. Usage that an agent does not report is not counted, so a limit on it never
 * ends a run.
 *
 * @param time from the start of the run
 * @param tokens input and output together
 * @param microDollars in millionths of a US dollar
 */
public record Limits(Optional<Duration> time, Optional<Long> tokens, Optional<Long> microDollars) {
  public static final Limits NONE =
      new Limits(Optional.empty(), Optional.empty(), Optional.empty());

  /** A kind of limit. */
  public enum Limit {
    TIME,
    TOKENS,
    COST
  }

  /** A limit that a run has reached. The reason names the usage and the limit. */
  public record Reached(Limit limit, String reason) {}

  /** The first limit that a run has reached, if any. */
  public Optional<Reached> reached(Usage spent, Instant startedAt, Instant now) {
    return Stream.of(timeReached(startedAt, now), tokensReached(spent), costReached(spent))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** The time limit of a run with this start, if there is one. */
  public Optional<Instant> endsAt(Instant startedAt) {
    return time.map(startedAt::plus);
  }

  private Optional<Reached> timeReached(Instant startedAt, Instant now) {
    return endsAt(startedAt)
        .filter(end -> !now.isBefore(end))
        .map(_ -> {
          long seconds = Duration.between(startedAt, now).toSeconds();
          return new Reached(
              Limit.TIME, "ran for %d s; the limit is %d s".formatted(seconds, allowed()));
        });
  }

  private long allowed() {
    return time.orElse(Duration.ZERO).toSeconds();
  }

  private Optional<Reached> tokensReached(Usage spent) {
    long used = spent.inputTokens() + spent.outputTokens();
    return tokens
        .filter(max -> used >= max)
        .map(max ->
            new Reached(Limit.TOKENS, "used %d tokens; the limit is %d".formatted(used, max)));
  }

  private Optional<Reached> costReached(Usage spent) {
    return microDollars
        .filter(max -> spent.microDollars() >= max)
        .map(max ->
            new Reached(
                Limit.COST,
                "cost %s; the limit is %s".formatted(dollars(spent.microDollars()), dollars(max))));
  }

  private static String dollars(long micro) {
    return "$" + BigDecimal.valueOf(micro, 6).stripTrailingZeros().toPlainString();
  }
}
