package dev.midcourse.autopilot.forge.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The proof that a request to the hub comes from a forge. Compared in constant time. */
public final class HookSignature {
  private static final String ALGORITHM = "HmacSHA256";

  private HookSignature() {}

  /** Returns whether this is the HMAC-SHA256 of the body, in hexadecimal digits. */
  public static boolean isHmac(String secret, byte[] body, String hex) {
    return !secret.isEmpty() && isSame(hmac(secret, body), hex.toLowerCase(Locale.ROOT));
  }

  /** Returns whether two texts are the same; takes the same time whatever their difference is. */
  public static boolean isSame(String expected, String given) {
    return MessageDigest.isEqual(expected.getBytes(UTF_8), given.getBytes(UTF_8));
  }

  /** The HMAC-SHA256 of a body, in hexadecimal digits. */
  public static String hmac(String secret, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.getBytes(UTF_8), ALGORITHM));
      return HexFormat.of().formatHex(mac.doFinal(body));
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("this Java has no " + ALGORITHM, e);
    }
  }
}
