package dev.midcourse.channels.discord.api;

import dev.midcourse.channels.http.PlatformResponse;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Knows which calls Discord would refuse now: those of an empty bucket, all after a global limit,
 * those that were forbidden a moment ago, and all when the address of this host comes near a ban
 * for too many bad answers.
 */
public final class DiscordRateLimits {
  public static final int MAX_BAD_ANSWERS = 5_000; // Discord bans an address after 10,000
  private static final Duration BAD_ANSWERS_WINDOW = Duration.ofMinutes(10);
  private static final Duration FORBIDDEN_FOR = Duration.ofMinutes(1);
  private static final int MAX_ENTRIES = 10_000;
  private static final int TOO_MANY = 429;

  /** The calls that are left in a bucket until its reset. */
  private record Bucket(int remaining, Instant reset) {}

  /** A call that was refused, and until when it is not repeated. */
  private record Forbidden(DiscordAnswer.Failed answer, Instant until) {}

  private final InstantSource clock;

  /** All fields below are guarded by this object. */
  private final Map<String, String> bucketOfRoute = bounded();

  private final Map<String, Bucket> buckets = bounded();
  private final Map<String, Forbidden> forbidden = bounded();
  private Instant globalUntil = Instant.MIN;
  private Instant windowEnd = Instant.MIN;
  private int badAnswers;

  public DiscordRateLimits(InstantSource clock) {
    this.clock = clock;
  }

  /** The answer that Discord would give, if it is known without asking; else takes one call. */
  public synchronized Optional<DiscordAnswer> refusal(DiscordRoute route) {
    Instant now = clock.instant();
    if (globalUntil.isAfter(now)) {
      return limited(now, globalUntil, "Discord limits all calls of the bot");
    }
    if (badAnswers >= MAX_BAD_ANSWERS && windowEnd.isAfter(now)) {
      return limited(now, windowEnd, "too many calls were refused; a pause prevents a ban");
    }
    Forbidden before = forbidden.get(route.call());
    if (before != null && before.until().isAfter(now)) {
      return Optional.of(before.answer());
    }
    String id = bucketOfRoute.getOrDefault(route.limit(), route.limit());
    Bucket bucket = buckets.get(id);
    if (bucket == null || !bucket.reset().isAfter(now)) {
      return Optional.empty();
    }
    if (bucket.remaining() <= 0) {
      return limited(now, bucket.reset(), "Discord limits the calls for this channel");
    }
    buckets.put(id, new Bucket(bucket.remaining() - 1, bucket.reset()));
    return Optional.empty();
  }

  private static Optional<DiscordAnswer> limited(Instant now, Instant until, String reason) {
    return Optional.of(new DiscordAnswer.Limited(Duration.between(now, until), reason));
  }

  /** Takes the limits from the headers of an answer. */
  synchronized void update(DiscordRoute route, PlatformResponse answer) {
    Instant now = clock.instant();
    String bucket =
        answer
            .headers()
            .firstValue("X-RateLimit-Bucket")
            .map(hash -> hash + ":" + route.major())
            .orElse(route.limit());
    bucketOfRoute.put(route.limit(), bucket);
    Optional<Double> remaining = decimal(answer, "X-RateLimit-Remaining");
    Optional<Double> resetAfter = decimal(answer, "X-RateLimit-Reset-After");
    if (remaining.isPresent() && resetAfter.isPresent()) {
      buckets.put(
          bucket,
          new Bucket(
              remaining.get().intValue(), now.plus(PlatformResponse.seconds(resetAfter.get()))));
    }
  }

  /** Takes an answer with status 429; returns the time to wait. */
  synchronized Duration tooMany(DiscordRoute route, PlatformResponse answer) {
    Instant now = clock.instant();
    JsonValue.Obj body = answer.json();
    Duration wait =
        body.decimal("retry_after")
            .map(PlatformResponse::seconds)
            .or(answer::retryAfter)
            .orElse(Duration.ofSeconds(1));
    if (body.is("global") || answer.headers().firstValue("X-RateLimit-Global").isPresent()) {
      globalUntil = now.plus(wait);
    } else {
      String bucket = bucketOfRoute.getOrDefault(route.limit(), route.limit());
      buckets.put(bucket, new Bucket(0, now.plus(wait)));
    }
    boolean isShared =
        answer.headers().firstValue("X-RateLimit-Scope").filter("shared"::equals).isPresent();
    if (!isShared) {
      countBadAnswer(now);
    }
    return wait;
  }

  /** Takes an answer with status 401 or 403. */
  public synchronized void refused(DiscordRoute route, DiscordAnswer.Failed answer) {
    Instant now = clock.instant();
    countBadAnswer(now);
    if (answer.status() == DiscordAnswer.Failed.FORBIDDEN) {
      forbidden.put(route.call(), new Forbidden(answer, now.plus(FORBIDDEN_FOR)));
    }
  }

  /** The rights of the bot may have changed. */
  public synchronized void forgetForbidden() {
    forbidden.clear();
  }

  private void countBadAnswer(Instant now) {
    if (!windowEnd.isAfter(now)) {
      windowEnd = now.plus(BAD_ANSWERS_WINDOW);
      badAnswers = 0;
    }
    badAnswers++;
  }

  static boolean isTooMany(int status) {
    return status == TOO_MANY;
  }

  private static Optional<Double> decimal(PlatformResponse answer, String header) {
    return answer
        .headers()
        .firstValue(header)
        .filter(text -> text.matches("\\d{1,9}(\\.\\d{1,9})?"))
        .map(Double::valueOf);
  }

  private static <V> Map<String, V> bounded() {
    return new LinkedHashMap<>() {
      private static final long serialVersionUID = 1;

      @Override
      protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
        return size() > MAX_ENTRIES;
      }
    };
  }
}
