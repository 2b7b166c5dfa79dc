package dev.midcourse.hub.auth;

import java.time.Duration;
import java.time.Instant;

/**
 * The sign-in of one browser. The hub keeps the public key only: the private key stays in the
 * browser, which does not let it be read.
 *
 * @param browser the name that the page gave itself, such as "Chromium on Linux"
 * @param origin the address of the page at the sign-in
 * @param port the port of the hub at the sign-in; the session holds at this port only, so that a
 *     listener that took this port cannot relay the session to a hub at another port
 * @param stay whether the session stays when the browser is closed
 */
public record PageSession(
    String id,
    String browser,
    String publicKey,
    String origin,
    int port,
    boolean stay,
    Instant createdAt,
    Instant lastUsedAt,
    Instant expiresAt) {
  static final Duration STAY_LIFETIME = Duration.ofDays(30);
  static final Duration TAB_LIFETIME = Duration.ofHours(24);

  static Duration lifetime(boolean stay) {
    return stay ? STAY_LIFETIME : TAB_LIFETIME;
  }

  boolean isActive(Instant now, int hubPort) {
    return now.isBefore(expiresAt) && port == hubPort;
  }

  PageSession withStay(boolean other, Instant from) {
    return new PageSession(
        id,
        browser,
        publicKey,
        origin,
        port,
        other,
        createdAt,
        lastUsedAt,
        from.plus(lifetime(other)));
  }

  PageSession withLastUse(Instant at) {
    return new PageSession(id, browser, publicKey, origin, port, stay, createdAt, at, expiresAt);
  }
}
