package dev.midcourse.hub.auth;

import java.util.Optional;

/** Reads the header {@code Authorization: Bearer}. */
final class Bearer {
  private static final String SCHEME = "Bearer ";

  private Bearer() {}

  static Optional<String> token(Optional<String> authorization) {
    return authorization
        .filter(header -> header.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
        .map(header -> header.substring(SCHEME.length()).strip());
  }
}
