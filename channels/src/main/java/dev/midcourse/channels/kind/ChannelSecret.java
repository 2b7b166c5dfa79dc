package dev.midcourse.channels.kind;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** A token or password. It is shown to nobody: {@link #toString} has no part of it. */
public final class ChannelSecret {
  private static final String SHOWN = "***";

  private final String value;

  /**
   * @param value not blank
   */
  public ChannelSecret(String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException("a secret is empty");
    }
    this.value = value;
  }

  /** The secret itself, for a request to the platform and for nothing else. */
  public String reveal() {
    return value;
  }

  /** Returns the text with asterisks wherever the secret is in it. */
  public String redact(String text) {
    String encoded = URLEncoder.encode(value, StandardCharsets.UTF_8);
    return text.replace(value, SHOWN).replace(encoded, SHOWN);
  }

  @Override
  public String toString() {
    return SHOWN;
  }
}
