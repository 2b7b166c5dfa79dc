package dev.midcourse.gateway.record;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** The secret of an attempt, which is a part of the address that its agent gets. */
public record AttemptKey(String secret) {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int BYTES = 24;

  public static AttemptKey fresh() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return new AttemptKey(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** Returns the name of the file of the route, which does not tell the secret. */
  String fileName() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] hash = digest.digest(secret.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash) + ".json";
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public String toString() {
    return "a secret";
  }
}
