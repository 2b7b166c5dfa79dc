package dev.midcourse.core.steer;

import dev.midcourse.core.Problem;
import dev.midcourse.core.id.Key;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import java.time.Duration;
import java.util.Optional;

/** What a door hands in: everything an author may say about a steer, already in types. */
public record SteerRequest(
    RunId run,
    Author author,
    SteerText text,
    Mode mode,
    OnUnsupported onUnsupported,
    Optional<Key> key,
    Optional<Integer> expectedTurn,
    Optional<Duration> timeToLive,
    Optional<SteerId> supersedes) {

  private static final Duration LONGEST_LIFE = Duration.ofDays(30);

  public SteerRequest {
    timeToLive.ifPresent(ttl -> {
      if (!ttl.isPositive() || ttl.compareTo(LONGEST_LIFE) > 0) {
        throw Problem.invalid(
                "ttl", "more than 0 and at most 30 days", "ttl must be positive, at most 30 days")
            .refused();
      }
    });
  }

  public static SteerRequest steer(RunId run, Author author, String text) {
    return new SteerRequest(
        run,
        author,
        SteerText.of(text),
        Mode.STEER,
        OnUnsupported.DEGRADE,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  public SteerRequest withMode(Mode other) {
    return new SteerRequest(
        run, author, text, other, onUnsupported, key, expectedTurn, timeToLive, supersedes);
  }

  public SteerRequest withKey(Key given) {
    return new SteerRequest(
        run,
        author,
        text,
        mode,
        onUnsupported,
        Optional.of(given),
        expectedTurn,
        timeToLive,
        supersedes);
  }
}
