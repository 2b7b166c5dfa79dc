package dev.midcourse.core.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Limits the progress notices of one run: a notice is sent only if the summary differs from the
 * last one, and at most once per interval. The newest summary of an interval is sent at its end.
 *
 * @param sent the summary that was sent last
 * @param waiting the newest summary that was not sent yet
 */
public record NoticePolicy(
    Duration interval, Optional<String> sent, Optional<Instant> sentAt, Optional<String> waiting) {
  private static final Duration DEFAULT = Duration.ofSeconds(5);

  public static NoticePolicy withDefaults() {
    return new NoticePolicy(DEFAULT, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Takes the newest summary of the run. */
  public NoticePolicy with(String summary) {
    return new NoticePolicy(
        interval,
        sent,
        sentAt,
        sent.equals(Optional.of(summary)) ? Optional.empty() : Optional.of(summary));
  }

  /** The summary to send now, if any. */
  public Optional<String> due(Instant now) {
    return waiting.filter(_ -> opensAt().filter(now::isBefore).isEmpty());
  }

  /** The policy after this summary was sent. */
  public NoticePolicy after(String summary, Instant now) {
    return new NoticePolicy(interval, Optional.of(summary), Optional.of(now), Optional.empty());
  }

  /** The time at which a waiting summary is due, if one waits. */
  public Optional<Instant> lookAgainAt() {
    return waiting.flatMap(_ -> opensAt());
  }

  private Optional<Instant> opensAt() {
    return sentAt.map(at -> at.plus(interval));
  }
}
