package dev.midcourse.hub.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/**
 * ECDSA with P-256 and SHA-256 in the encodings of the browsers' Web Cryptography API: public keys
 * as SubjectPublicKeyInfo, signatures as two numbers of 32 bytes, both in base64url.
 */
final class EcKeys {
  private static final String CURVE = "secp256r1";
  private static final int CURVE_BITS = 256;
  private static final String ALGORITHM = "SHA256withECDSAinP1363Format";

  private EcKeys() {}

  static KeyPair generate() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec(CURVE));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  static String encode(PublicKey key) {
    return Digests.base64(key.getEncoded());
  }

  /** Reads a public key from outside. */
  static PublicKey publicKey(String text) {
    try {
      PublicKey key =
          KeyFactory.getInstance("EC")
              .generatePublic(new X509EncodedKeySpec(Base64.getUrlDecoder().decode(text)));
      if (key instanceof ECPublicKey ec
          && ec.getParams().getCurve().getField().getFieldSize() == CURVE_BITS) {
        return key;
      }
      throw notAKey().refused();
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new RefusedException(notAKey(), e);
    }
  }

  private static Problem notAKey() {
    return Problem.invalid(
        "public_key",
        "a P-256 key as SubjectPublicKeyInfo in base64url",
        "public_key is not a P-256 key in base64url");
  }

  static PrivateKey privateKey(String text) throws GeneralSecurityException {
    return KeyFactory.getInstance("EC")
        .generatePrivate(new PKCS8EncodedKeySpec(Base64.getUrlDecoder().decode(text)));
  }

  static String sign(PrivateKey key, String statement) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(key);
      signature.update(statement.getBytes(UTF_8));
      return Digests.base64(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns whether the signature, from outside and of any form, is the key's. */
  static boolean verify(PublicKey key, String statement, String signature) {
    try {
      Signature verifier = Signature.getInstance(ALGORITHM);
      verifier.initVerify(key);
      verifier.update(statement.getBytes(UTF_8));
      return verifier.verify(Base64.getUrlDecoder().decode(signature));
    } catch (GeneralSecurityException | IllegalArgumentException malformed) {
      return false;
    }
  }
}
