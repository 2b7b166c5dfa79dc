package dev.midcourse.hub.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The secret of programs. Compared in a time that does not tell how much of a guess was right. It
 * can be replaced while the hub runs; the old one is refused from then on.
 */
public final class HubToken {
  private final AtomicReference<byte[]> bytes;

  public HubToken(String text) {
    this.bytes = new AtomicReference<>(text.getBytes(UTF_8));
  }

  public void replace(String text) {
    bytes.set(text.getBytes(UTF_8));
  }

  /** Returns whether an {@code Authorization} header has it. */
  boolean isIn(Optional<String> authorization) {
    return Bearer.token(authorization)
        .filter(token -> MessageDigest.isEqual(token.getBytes(UTF_8), bytes.get()))
        .isPresent();
  }

  @Override
  public String toString() {
    return "(secret)";
  }
}
