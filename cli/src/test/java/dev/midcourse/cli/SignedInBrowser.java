package dev.midcourse.cli;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.core.json.JsonValue;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;

/** Signs in at a hub as a browser does, so that there is a session to list. */
final class SignedInBrowser {
  private SignedInBrowser() {}

  /** Returns the id of the new session. */
  static String at(HubClient hub) {
    try {
      KeyPairGenerator keys = KeyPairGenerator.getInstance("EC");
      keys.initialize(new ECGenParameterSpec("secp256r1"));
      byte[] key = keys.generateKeyPair().getPublic().getEncoded();
      String code = hub.post("/sign-in-codes", JsonValue.Obj.EMPTY).text("code").orElseThrow();
      return hub.post(
              "/sessions",
              JsonValue.Obj.EMPTY
                  .with("code", code)
                  .with("public_key", Base64.getUrlEncoder().withoutPadding().encodeToString(key))
                  .with("origin", "http://127.0.0.1:8787")
                  .with("browser", "Firefox on Linux"))
          .text("session_id")
          .orElseThrow();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
