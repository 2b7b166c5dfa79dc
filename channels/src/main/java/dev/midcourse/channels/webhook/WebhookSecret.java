package dev.midcourse.channels.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.core.Problem;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that a webhook channel shares with the other program. A signature is {@code v1=} and
 * the hexadecimal HMAC-SHA256 of the time in seconds, a dot, and the body. Never shown as text.
 */
public final class WebhookSecret {
  static final Duration WINDOW = Duration.ofMinutes(5);
  private static final String ALGORITHM = "HmacSHA256";
  private static final String PREFIX = "v1=";
  private static final int MIN_BYTES = 16;
  private static final Pattern SECONDS = Pattern.compile("\\d{1,12}");
  private static final Pattern SIGNATURE = Pattern.compile("v1=([0-9a-fA-F]{64})");

  private final SecretKeySpec key;

  private WebhookSecret(SecretKeySpec key) {
    this.key = key;
  }

  public static WebhookSecret of(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    if (bytes.length < MIN_BYTES) {
      throw Problem.invalid(
              "secret", "at least 16 bytes", "the secret of a webhook must have at least 16 bytes")
          .refused();
    }
    return new WebhookSecret(new SecretKeySpec(bytes, ALGORITHM));
  }

  /** The signature of a body at this time in seconds. */
  String sign(String seconds, byte[] body) {
    return PREFIX + HexFormat.of().formatHex(digest(seconds, body));
  }

  /**
   * Returns why a request is not accepted; empty if its signature is right and its time is at most
   * five minutes from now. Takes the same time for every wrong signature.
   */
  Optional<String> objection(
      Optional<String> seconds, Optional<String> signature, byte[] body, Instant now) {
    if (seconds.isEmpty() || !SECONDS.matcher(seconds.get()).matches()) {
      return Optional.of("the header Midcourse-Timestamp must be a time in seconds since 1970");
    }
    Matcher given = SIGNATURE.matcher(signature.orElse(""));
    if (!given.matches()) {
      return Optional.of("the header Midcourse-Signature must be v1= and 64 hexadecimal digits");
    }
    byte[] expected = digest(seconds.get(), body);
    if (!MessageDigest.isEqual(expected, HexFormat.of().parseHex(given.group(1)))) {
      return Optional.of("the signature is wrong");
    }
    Instant at = Instant.ofEpochSecond(Long.parseLong(seconds.get()));
    return Duration.between(at, now).abs().compareTo(WINDOW) > 0
        ? Optional.of("the time of the request is more than 5 minutes from the time of the hub")
        : Optional.empty();
  }

  private byte[] digest(String seconds, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update((seconds + ".").getBytes(UTF_8));
      return mac.doFinal(body);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public String toString() {
    return "WebhookSecret";
  }
}
