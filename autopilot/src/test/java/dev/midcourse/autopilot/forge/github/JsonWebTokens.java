package dev.midcourse.autopilot.forge.github;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/** Checks the tokens of an App as GitHub does. */
final class JsonWebTokens {
  private static final long MAX_LIFE = 600;

  private JsonWebTokens() {}

  static boolean isValid(String token, PublicKey key, String app, Instant time) {
    List<String> parts = List.of(token.split("\\.", -1));
    if (parts.size() != 3) {
      return false;
    }
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initVerify(key);
      signature.update((parts.get(0) + "." + parts.get(1)).getBytes(UTF_8));
      JsonValue.Obj claims =
          JsonReader.readObject(new String(Base64.getUrlDecoder().decode(parts.get(1)), UTF_8));
      long now = time.getEpochSecond();
      long end = claims.number("exp").orElse(0L);
      return signature.verify(Base64.getUrlDecoder().decode(parts.get(2)))
          && claims.string("iss").filter(app::equals).isPresent()
          && claims.number("iat").orElse(Long.MAX_VALUE) <= now
          && end > now
          && end <= now + MAX_LIFE;
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return false;
    }
  }
}
