package dev.midcourse.core.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How often a lead hears what a run is doing: only when the summary is another, and at most once
 * per interval; the newest of what came in between is told when the interval is over.
 *
 * @param told the summary that was told last, and when
 * @param waiting the newest summary that was not told yet
 */
public record NoticePolicy(
    Duration interval, Optional<String> told, Optional<Instant> toldAt, Optional<String> waiting) {
  private static final Duration DEFAULT = Duration.ofSeconds(5);

  public static NoticePolicy usual() {
    return new NoticePolicy(DEFAULT, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** The run does this now. */
  public NoticePolicy with(String summary) {
    return new NoticePolicy(
        interval,
        told,
        toldAt,
        told.equals(Optional.of(summary)) ? Optional.empty() : Optional.of(summary));
  }

  /** What is to be told now, if anything. */
  public Optional<String> due(Instant now) {
    return waiting.filter(_ -> opensAt().filter(now::isBefore).isEmpty());
  }

  /** It was told. */
  public NoticePolicy after(String summary, Instant now) {
    return new NoticePolicy(interval, Optional.of(summary), Optional.of(now), Optional.empty());
  }

  /** When to look again, if something waits. */
  public Optional<Instant> lookAgainAt() {
    return waiting.flatMap(_ -> opensAt());
  }

  private Optional<Instant> opensAt() {
    return toldAt.map(at -> at.plus(interval));
  }
}
