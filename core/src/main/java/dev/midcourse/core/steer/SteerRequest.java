package dev.midcourse.core.steer;

import dev.midcourse.core.Problem;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A request to steer a run, validated by the types of its fields. */
public record SteerRequest(
    RunId run,
    Author author,
    SteerText text,
    SteerMode mode,
    OnUnsupported onUnsupported,
    Optional<IdempotencyKey> key,
    Optional<Integer> expectedTurn,
    Optional<Duration> timeToLive,
    Optional<SteerId> supersedes) {

  private static final Duration MAX_LIFE = Duration.ofDays(30);

  public SteerRequest {
    timeToLive.ifPresent(ttl -> {
      if (!ttl.isPositive() || ttl.compareTo(MAX_LIFE) > 0) {
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
        SteerMode.STEER,
        OnUnsupported.DEGRADE,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** A digest of the content. It is equal for equal content, whatever the author and interface. */
  String contentDigest() {
    String content =
        Stream.of(
                run.value(),
                mode.wire(),
                onUnsupported.wire(),
                expectedTurn.map(String::valueOf).orElse(""),
                timeToLive.map(Duration::toString).orElse(""),
                supersedes.map(SteerId::value).orElse(""),
                text.value())
            .collect(Collectors.joining("\0"));
    try {
      byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }

  public SteerRequest withMode(SteerMode other) {
    return new SteerRequest(
        run, author, text, other, onUnsupported, key, expectedTurn, timeToLive, supersedes);
  }

  public SteerRequest withKey(IdempotencyKey given) {
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
