package dev.midcourse.hub.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/**
 * The keys of a browser, and the proofs as docs/decisions/017-sign-in.md describes them. Written
 * without the code of the hub, so that both must agree with the description.
 */
public final class TestBrowser {
  public static final String NONCE = "AAAAAAAAAAAAAAAAAAAAAAAA";
  private static final String ALGORITHM = "SHA256withECDSAinP1363Format";

  private final KeyPair keys;

  public TestBrowser() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      keys = generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  public String publicKey() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(keys.getPublic().getEncoded());
  }

  /** Returns the proof of the page over the nonce of the hub. */
  public String prove(int port, String origin, String session, String hubNonce) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(keys.getPrivate());
      signature.update(statement("page", port, origin, session, hubNonce).getBytes(UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns whether the proof is that of the hub with this key. */
  public static boolean isHub(
      String hubKey,
      int port,
      String origin,
      String session,
      String hubNonce,
      String state,
      String proof) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initVerify(
          KeyFactory.getInstance("EC")
              .generatePublic(new X509EncodedKeySpec(Base64.getUrlDecoder().decode(hubKey))));
      String statement = statement("hub", port, origin, session, hubNonce) + "\n" + state;
      signature.update(statement.getBytes(UTF_8));
      return signature.verify(Base64.getUrlDecoder().decode(proof));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String statement(
      String prover, int port, String origin, String session, String hubNonce) {
    return "midcourse %s proof 1\n%d\n%s\n%s\n%s\n%s"
        .formatted(prover, port, origin, session, NONCE, hubNonce);
  }
}
