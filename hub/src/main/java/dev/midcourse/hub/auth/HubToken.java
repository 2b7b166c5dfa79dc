package dev.midcourse.hub.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The token of programs. The comparison takes a time that does not depend on the guess. The token
 * can be replaced while the hub runs; the old one is refused from then on.
 */
public final class HubToken {
  private static final String HMAC = "HmacSHA256";

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

  /**
   * Proves to a program that has the token that the hub has it too, without sending it: the
   * HMAC-SHA-256 of a statement with the token as the key, in base64url.
   */
  public String prove(String statement) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(bytes.get(), HMAC));
      return Digests.base64(mac.doFinal(statement.getBytes(UTF_8)));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public String toString() {
    return "(secret)";
  }
}
