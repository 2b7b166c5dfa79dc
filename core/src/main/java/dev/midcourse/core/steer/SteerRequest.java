package dev.midcourse.core.steer;

import dev.midcourse.core.FieldDoc;
import dev.midcourse.core.Problem;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerReference;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A request to steer, validated by the types of its fields: the body of the HTTP request, and the
 * only type of a request up to the transaction that stores the steer.
 *
 * <p>It names neither its run nor its author. Both are arguments beside it, because the interface
 * proves the author and finds the run; a request cannot claim them.
 */
public record SteerRequest(
    @FieldDoc("text for the agent, up to 64 KiB") SteerText text,
    @FieldDoc(value = "delivery mode", defaultValue = "steer") SteerMode mode,
    @FieldDoc("idempotency key") Optional<IdempotencyKey> key,
    @FieldDoc("refuse if another turn than this is running") Optional<Integer> expectedTurn,
    @FieldDoc(name = "ttl", value = "expire if not delivered within this time: 30s, 5m, 2h")
        Optional<Duration> timeToLive,
    @FieldDoc(value = "what to do if the agent does not support the mode", defaultValue = "degrade")
        OnUnsupported onUnsupported,
    @FieldDoc("the steer that this one replaces, or the beginning of its id")
        Optional<SteerReference> supersedes) {

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

  /** Returns a request for the next boundary of the agent, without a key and conditions. */
  public static SteerRequest steer(String text) {
    return steer(SteerText.of(text));
  }

  public static SteerRequest steer(SteerText text) {
    return new SteerRequest(
        text,
        SteerMode.STEER,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OnUnsupported.DEGRADE,
        Optional.empty());
  }

  /** A digest of the content. It is equal for equal content, whatever the author and interface. */
  String contentDigest(RunId run) {
    String content =
        Stream.of(
                run.value(),
                mode.wire(),
                onUnsupported.wire(),
                expectedTurn.map(String::valueOf).orElse(""),
                timeToLive.map(Duration::toString).orElse(""),
                supersedes.map(SteerReference::value).orElse(""),
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
    return new SteerRequest(text, other, key, expectedTurn, timeToLive, onUnsupported, supersedes);
  }

  public SteerRequest withKey(IdempotencyKey given) {
    return withKey(Optional.of(given));
  }

  public SteerRequest withKey(Optional<IdempotencyKey> given) {
    return new SteerRequest(text, mode, given, expectedTurn, timeToLive, onUnsupported, supersedes);
  }

  public SteerRequest withSupersedes(Optional<SteerReference> older) {
    return new SteerRequest(text, mode, key, expectedTurn, timeToLive, onUnsupported, older);
  }
}
