package dev.midcourse.hub.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.Optional;

/** The hub's secret. Compared in a time that does not tell how much of a guess was right. */
public final class HubToken {
  private static final String SCHEME = "Bearer ";

  private final byte[] bytes;

  public HubToken(String text) {
    this.bytes = text.getBytes(UTF_8);
  }

  /** Whether an {@code Authorization} header shows it. */
  boolean isIn(Optional<String> authorization) {
    String header = authorization.orElse("");
    return header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        && MessageDigest.isEqual(header.substring(SCHEME.length()).strip().getBytes(UTF_8), bytes);
  }

  @Override
  public String toString() {
    return "(secret)";
  }
}
