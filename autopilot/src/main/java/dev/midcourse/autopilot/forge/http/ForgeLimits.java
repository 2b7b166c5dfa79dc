package dev.midcourse.autopilot.forge.http;

import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.core.loop.forge.ForgeError;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The limits of one forge. While one holds, requests are refused here and not sent. A limit of
 * several requests together holds for all; an exhausted quota holds only for the requests that
 * count for it.
 */
final class ForgeLimits {
  static final Duration MIN_UNNAMED = Duration.ofSeconds(60);
  static final Duration MAX_UNNAMED = Duration.ofHours(1);
  private static final Duration MIN_WAIT = Duration.ofSeconds(1);
  private static final Duration MAX_WAIT = Duration.ofHours(24);

  /** A smaller number is a number of seconds, and no time since 1970. */
  private static final long OLDEST_TIME = 1_000_000_000;

  private static final int MAX_NAMES = 100;
  private static final String SHARED = "";

  private final InstantSource clock;

  /** All fields below are guarded by this object. */
  private final Map<String, Instant> until = new HashMap<>();

  private Duration unnamed = MIN_UNNAMED;

  ForgeLimits(InstantSource clock) {
    this.clock = clock;
  }

  /** Throws if the forge would refuse this request now. */
  synchronized void check(ForgeRequest request) throws ForgeException {
    Instant now = clock.instant();
    until.values().removeIf(end -> !end.isAfter(now));
    Instant end =
        latest(
            until.getOrDefault(SHARED, Instant.MIN),
            until.getOrDefault(request.limit(), Instant.MIN));
    if (end.isAfter(now)) {
      throw limited("the forge accepts no more requests", end);
    }
  }

  private static Instant latest(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /**
   * Takes the limits from an answer.
   *
   * @throws ForgeException if the answer is a refusal for a limit
   */
  synchronized void update(ForgeResponse answer) throws ForgeException {
    if (isRefusal(answer)) {
      throw refuse(answer);
    }
    if (answer.isSuccess()) {
      unnamed = MIN_UNNAMED;
    }
    exhausted(answer.headers()).ifPresent(wait -> hold(answer.request().limit(), wait));
  }

  /** Takes an answer that is a refusal for a limit, whatever its status is. */
  synchronized ForgeException refuse(ForgeResponse answer) {
    String message = ForgeErrors.message(answer);
    Optional<Duration> named = retryAfter(answer.headers());
    if (named.isPresent()) {
      return limited(message, hold(SHARED, named.get()));
    }
    Optional<Duration> quota = exhausted(answer.headers());
    if (quota.isPresent()) {
      return limited(message, hold(answer.request().limit(), quota.get()));
    }
    Duration wait = unnamed;
    Duration doubled = wait.multipliedBy(2);
    unnamed = doubled.compareTo(MAX_UNNAMED) > 0 ? MAX_UNNAMED : doubled;
    return limited(message, hold(SHARED, wait));
  }

  private Instant hold(String name, Duration wait) {
    Duration bounded = wait.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : wait;
    Instant end = clock.instant().plus(bounded);
    if (until.size() >= MAX_NAMES && !until.containsKey(name)) {
      return hold(SHARED, bounded);
    }
    return until.merge(name, end, ForgeLimits::latest);
  }

  private static ForgeException limited(String message, Instant end) {
    return new ForgeException(new ForgeError.Limited(message + "; until " + end, end));
  }

  /**
   * A 403 is a limit only if the headers or the text say so: it also means a missing permission.
   */
  private boolean isRefusal(ForgeResponse answer) {
    if (answer.status() == 429) {
      return true;
    }
    return answer.status() == 403
        && (retryAfter(answer.headers()).isPresent()
            || exhausted(answer.headers()).isPresent()
            || answer.text().toLowerCase(Locale.ROOT).contains("rate limit"));
  }

  /** The time of {@code Retry-After}: seconds, or a date. */
  private Optional<Duration> retryAfter(HttpHeaders headers) {
    return headers
        .firstValue("Retry-After")
        .map(String::strip)
        .flatMap(text ->
            text.matches("\\d{1,9}")
                ? Optional.of(Duration.ofSeconds(Long.parseLong(text)))
                : date(text).map(end -> untilEnd(headers, end)));
  }

  /** The time until a quota is filled again, if nothing is left of it. */
  private Optional<Duration> exhausted(HttpHeaders headers) {
    for (String prefix : List.of("X-RateLimit-", "RateLimit-")) {
      Optional<Long> remaining = number(headers, prefix + "Remaining");
      Optional<Long> reset = number(headers, prefix + "Reset");
      if (remaining.isPresent() && remaining.get() == 0 && reset.isPresent()) {
        long seconds = reset.get();
        return Optional.of(
            seconds < OLDEST_TIME
                ? Duration.ofSeconds(seconds)
                : untilEnd(headers, Instant.ofEpochSecond(seconds)));
      }
    }
    return Optional.empty();
  }

  private static Optional<Long> number(HttpHeaders headers, String name) {
    return headers
        .firstValue(name)
        .map(String::strip)
        .filter(text -> text.matches("\\d{1,12}"))
        .map(Long::valueOf);
  }

  /**
   * The time until an end that the forge names, of one second at least. It is measured on the clock
   * of the forge, which may differ from the clock of this machine.
   */
  private Duration untilEnd(HttpHeaders headers, Instant end) {
    Instant now = headers.firstValue("Date").flatMap(ForgeLimits::date).orElseGet(clock::instant);
    Duration wait = Duration.between(now, end);
    return wait.compareTo(MIN_WAIT) < 0 ? MIN_WAIT : wait;
  }

  private static Optional<Instant> date(String text) {
    try {
      return Optional.of(
          ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
