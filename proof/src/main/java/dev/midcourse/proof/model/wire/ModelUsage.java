package dev.midcourse.proof.model.wire;

/** The token figures of an answer. {@code input} excludes tokens from the cache. */
public record ModelUsage(int input, int output, int cacheRead, int cacheWrite) {

  /** The figures of an answer if the script has none. */
  public static final ModelUsage SMALL = new ModelUsage(100, 10, 0, 0);

  public static ModelUsage of(int input, int output) {
    return new ModelUsage(input, output, 0, 0);
  }

  /** Returns all input tokens, cached or not. */
  int allInput() {
    return input + cacheRead + cacheWrite;
  }
}
