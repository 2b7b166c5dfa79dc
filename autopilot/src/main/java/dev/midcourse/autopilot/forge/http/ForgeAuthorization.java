package dev.midcourse.autopilot.forge.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.autopilot.forge.ForgeCredential.Secret;
import java.util.Base64;

/** The header in which a forge expects the secret. */
public enum ForgeAuthorization {
  /** {@code Authorization: Bearer TOKEN}: GitHub, GitLab. */
  BEARER("Authorization"),
  /** {@code Authorization: token TOKEN}: Gitea, Forgejo. */
  TOKEN("Authorization"),
  /** {@code PRIVATE-TOKEN: TOKEN}: GitLab. */
  PRIVATE_TOKEN("PRIVATE-TOKEN"),
  /** {@code Authorization: Basic …}: Gerrit. */
  BASIC("Authorization"),
  /** No secret is sent, and none is asked for. */
  NONE("");

  private final String header;

  ForgeAuthorization(String header) {
    this.header = header;
  }

  String header() {
    return header;
  }

  String value(Secret secret) {
    return switch (this) {
      case BEARER -> "Bearer " + secret.token();
      case TOKEN -> "token " + secret.token();
      case PRIVATE_TOKEN -> secret.token();
      case BASIC -> "Basic " + encoded(secret);
      case NONE -> "";
    };
  }

  /** Returns the text with asterisks wherever the secret is in it. */
  static String redact(String text, Secret secret) {
    String shown = text;
    if (!secret.token().isBlank()) {
      shown = shown.replace(secret.token(), "***").replace(encoded(secret), "***");
    }
    return shown;
  }

  private static String encoded(Secret secret) {
    return Base64.getEncoder()
        .encodeToString((secret.user() + ":" + secret.token()).getBytes(UTF_8));
  }
}
