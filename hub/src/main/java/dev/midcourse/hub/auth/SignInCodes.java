package dev.midcourse.hub.auth;

import dev.midcourse.core.id.Ids;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The single-use codes of sign-in links. A code lives one minute and is redeemed at most once, also
 * by callers at the same time. Only hashes are kept, in memory, so a restart of the hub ends all
 * codes.
 */
public final class SignInCodes {
  public static final Duration LIFETIME = Duration.ofMinutes(1);

  /** The length of a code: with 32 possible letters, 130 bits. */
  static final int LENGTH = 26;

  /** Above this number the oldest code ends early, so that callers cannot fill the memory. */
  static final int MAX_OPEN = 32;

  private final Ids ids = new Ids(new SecureRandom());
  private final InstantSource clock;

  /** Guarded by this object's monitor; the oldest first. */
  private final List<Open> open = new ArrayList<>();

  @SuppressWarnings("ArrayRecordComponent") // compared in constant time only
  private record Open(byte[] hash, Instant expiresAt) {}

  /** A new code and the time of its expiry. */
  public record Code(String text, Instant expiresAt) {
    @Override
    public String toString() {
      return "(secret)";
    }
  }

  public SignInCodes(InstantSource clock) {
    this.clock = clock;
  }

  public synchronized Code issue() {
    Code code = new Code(ids.token(LENGTH), clock.instant().plus(LIFETIME));
    open.add(new Open(Digests.sha256(code.text()), code.expiresAt()));
    if (open.size() > MAX_OPEN) {
      open.removeFirst();
    }
    return code;
  }

  /** Ends the code and returns whether it was valid. */
  public synchronized boolean redeem(String text) {
    Instant now = clock.instant();
    byte[] hash = Digests.sha256(text);
    boolean valid = false;
    for (Iterator<Open> codes = open.iterator(); codes.hasNext(); ) {
      Open code = codes.next();
      boolean same = MessageDigest.isEqual(code.hash(), hash);
      boolean expired = !now.isBefore(code.expiresAt());
      if (same || expired) {
        codes.remove();
      }
      valid |= same && !expired;
    }
    return valid;
  }
}
