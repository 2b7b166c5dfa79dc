package dev.midcourse.channels.whatsapp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.kind.ChannelSecret;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The signature of a delivery: the HMAC-SHA256 of its body with the secret of the app. */
final class WhatsAppSignature {
  private static final String ALGORITHM = "HmacSHA256";
  private static final Pattern SHAPE = Pattern.compile("sha256=([0-9a-fA-F]{64})");

  private WhatsAppSignature() {}

  /** Takes the same time for every wrong signature. */
  static boolean isValid(ChannelSecret secret, Optional<String> header, String body) {
    Matcher given = SHAPE.matcher(header.orElse(""));
    return given.matches()
        && MessageDigest.isEqual(digest(secret, body), HexFormat.of().parseHex(given.group(1)));
  }

  static String sign(ChannelSecret secret, String body) {
    return "sha256=" + HexFormat.of().formatHex(digest(secret, body));
  }

  static boolean isSame(ChannelSecret secret, Optional<String> given) {
    return MessageDigest.isEqual(secret.reveal().getBytes(UTF_8), given.orElse("").getBytes(UTF_8));
  }

  private static byte[] digest(ChannelSecret secret, String body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.reveal().getBytes(UTF_8), ALGORITHM));
      return mac.doFinal(body.getBytes(UTF_8));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
