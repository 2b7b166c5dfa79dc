package dev.midcourse.core.chat.link;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.core.chat.person.PersonId;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;

/**
 * A single-use code that links an account to a person. One side makes the code: the command line,
 * or the person in a chat where the person is known. The other side is the new account, which sends
 * {@code /link CODE}. So both sides have confirmed the link.
 *
 * @param digest the SHA-256 of the code in hexadecimal; the code itself is not stored
 * @param triesLeft how many wrong codes may still be sent before this one is void
 */
public record LinkCode(String digest, PersonId person, Instant expiresAt, int triesLeft) {
  public static final Duration LIFETIME = Duration.ofMinutes(10);
  public static final int MAX_TRIES = 5;

  /** A new code of this text. */
  public static LinkCode issue(String code, PersonId person, Instant now) {
    return new LinkCode(digest(code), person, now.plus(LIFETIME), MAX_TRIES);
  }

  boolean isOpen(Instant now) {
    return triesLeft > 0 && now.isBefore(expiresAt);
  }

  boolean matches(String typed) {
    return MessageDigest.isEqual(digest(typed).getBytes(UTF_8), digest.getBytes(UTF_8));
  }

  LinkCode withOneTryLess() {
    return new LinkCode(digest, person, expiresAt, triesLeft - 1);
  }

  private static String digest(String code) {
    try {
      byte[] folded = code.strip().toLowerCase(Locale.ROOT).getBytes(UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(folded));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
