package dev.midcourse.hub.auth;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The key with which the hub proves to a page that it is the hub at which the page signed in. It is
 * made once for a data folder, at the first sign-in.
 */
public final class HubIdentity {
  private static final String SEPARATOR = ":";

  /** Returns the stored line; stores the given one if there is none. */
  private final UnaryOperator<String> stored;

  /** Guarded by this object's monitor. */
  private Optional<Keys> keys = Optional.empty();

  private record Keys(String publicKey, PrivateKey privateKey) {}

  public HubIdentity(UnaryOperator<String> stored) {
    this.stored = stored;
  }

  /** Returns the public key, which a page keeps. */
  String publicKey() {
    return keys().publicKey();
  }

  String sign(String statement) {
    return EcKeys.sign(keys().privateKey(), statement);
  }

  private synchronized Keys keys() {
    if (keys.isEmpty()) {
      keys = Optional.of(read());
    }
    return keys.get();
  }

  private Keys read() {
    KeyPair made = EcKeys.generate();
    String line =
        stored.apply(
            EcKeys.encode(made.getPublic())
                + SEPARATOR
                + Digests.base64(made.getPrivate().getEncoded()));
    try {
      String[] parts = line.split(SEPARATOR, 2);
      PrivateKey key = EcKeys.privateKey(parts[parts.length - 1]);
      EcKeys.publicKey(parts[0]);
      return new Keys(parts[0], key);
    } catch (GeneralSecurityException | IllegalArgumentException | RefusedException e) {
      throw new RefusedException(
          Problem.of(
              Code.UNAVAILABLE,
              "hub.key",
              "the key pair that the hub wrote",
              "the file hub.key in the data directory is damaged; remove it, and sign in again on"
                  + " each browser"),
          e);
    }
  }
}
