package dev.midcourse.core.id;

import java.util.Locale;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Creates new ids from the given random source. */
public record Ids(RandomGenerator random) {
  private static final String ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
  private static final int SLUG_LENGTH = 24;

  public SteerId steer() {
    long high = (random.nextLong() & ~0xF000L) | 0x4000L;
    long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
    return SteerId.of(new UUID(high, low).toString());
  }

  /**
   * Returns a run id that a person recognises: the first words of the prompt and four random
   * characters.
   */
  public RunId run(String prompt) {
    StringBuilder slug = new StringBuilder();
    for (String word : prompt.toLowerCase(Locale.ROOT).split("[^a-z0-9]+", -1)) {
      if (word.isEmpty()) {
        continue;
      }
      if (slug.length() + word.length() + 1 > SLUG_LENGTH) {
        break;
      }
      slug.append(word).append('-');
    }
    if (slug.isEmpty()) {
      slug.append("run-");
    }
    return RunId.of(slug + token(4));
  }

  /** Returns random letters and digits that are easy to read aloud (no l, o, 0 or 1). */
  public String token(int length) {
    StringBuilder token = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      token.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return token.toString();
  }
}
