package dev.midcourse.autopilot.forge.github;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.core.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The private key of a GitHub App, which signs the tokens by which the App names itself. */
final class AppKey {
  private static final Pattern PEM =
      Pattern.compile(
          "-----BEGIN (RSA )?PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END (RSA )?PRIVATE KEY-----");

  /** Version 0 and the algorithm RSA, as a PKCS#8 key has them before the key itself. */
  private static final byte[] RSA_HEADER =
      HexFormat.of().parseHex("020100300d06092a864886f70d0101010500");

  private static final int SEQUENCE = 0x30;
  private static final int OCTET_STRING = 0x04;

  /** GitHub refuses a token from the future, and one that lives longer than ten minutes. */
  private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(60);

  private static final Duration LIFE = Duration.ofMinutes(8);

  private final PrivateKey key;

  private AppKey(PrivateKey key) {
    this.key = key;
  }

  /**
   * Reads a key as GitHub gives it, and one in PKCS#8.
   *
   * @throws IllegalArgumentException if it is none; the message has no part of the text
   */
  static AppKey parse(String pem) {
    Matcher matcher = PEM.matcher(pem);
    if (!matcher.find()) {
      throw new IllegalArgumentException("the key of the App is no PEM file of a private key");
    }
    try {
      byte[] der = Base64.getMimeDecoder().decode(matcher.group(2));
      byte[] pkcs8 = matcher.group(1) == null ? der : wrap(der);
      return new AppKey(
          KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(pkcs8)));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IllegalArgumentException("the key of the App is no RSA key");
    }
  }

  private static byte[] wrap(byte[] pkcs1) {
    ByteArrayOutputStream inner = new ByteArrayOutputStream();
    inner.writeBytes(RSA_HEADER);
    inner.writeBytes(element(OCTET_STRING, pkcs1));
    return element(SEQUENCE, inner.toByteArray());
  }

  private static byte[] element(int tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    if (content.length < 0x80) {
      out.write(content.length);
    } else if (content.length < 0x100) {
      out.write(0x81);
      out.write(content.length);
    } else {
      out.write(0x82);
      out.write(content.length >> 8);
      out.write(content.length);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  /** Makes a token (JWT, RS256) that says who the App is, for some minutes. */
  String sign(String app, Instant now) {
    JsonValue.Obj header = JsonValue.object().with("alg", "RS256").with("typ", "JWT");
    JsonValue.Obj claims =
        JsonValue.object()
            .with("iat", now.minus(CLOCK_DIFFERENCE).getEpochSecond())
            .with("exp", now.plus(LIFE).getEpochSecond())
            .with("iss", app);
    String signed = encode(header) + "." + encode(claims);
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(key);
      signature.update(signed.getBytes(UTF_8));
      return signed + "." + encode(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java cannot sign with RSA", e);
    }
  }

  private static String encode(JsonValue.Obj value) {
    return encode(value.toString().getBytes(UTF_8));
  }

  private static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
