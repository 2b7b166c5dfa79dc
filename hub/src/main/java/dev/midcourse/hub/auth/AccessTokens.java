package dev.midcourse.hub.auth;

import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * The tokens that open tabs send with their requests. They are kept in memory only: a token is
 * worth nothing once the process that issued it has ended, so another listener that takes the port
 * of an ended hub and receives it can do nothing with it.
 */
final class AccessTokens {
  /** The prefix that distinguishes these tokens from the token of programs. */
  static final String PREFIX = "page.";

  /** Above this number the least recently used token ends. Its page then requests another one. */
  static final int MAX_TOKENS = 1_000;

  private final SecureRandom random;

  /** Session id by the hash of the token; guarded by itself; the longest unused first. */
  private final SequencedMap<String, String> sessions = new LinkedHashMap<>(16, 0.75f, true);

  AccessTokens(SecureRandom random) {
    this.random = random;
  }

  String issue(String session) {
    String token = PREFIX + Digests.random(random);
    synchronized (sessions) {
      sessions.put(hash(token), session);
      if (sessions.size() > MAX_TOKENS) {
        sessions.pollFirstEntry();
      }
    }
    return token;
  }

  /** Returns the session that the token was issued for. */
  Optional<String> session(String token) {
    synchronized (sessions) {
      return Optional.ofNullable(sessions.get(hash(token)));
    }
  }

  private static String hash(String token) {
    return Digests.base64(Digests.sha256(token));
  }
}
