package dev.midcourse.proof.model.wire;

/** The token figures an answer reports. {@code input} is without what came from the cache. */
public record ModelUsage(int input, int output, int cacheRead, int cacheWrite) {

  /** What an answer reports when the script says nothing else. */
  public static final ModelUsage SMALL = new ModelUsage(100, 10, 0, 0);

  public static ModelUsage of(int input, int output) {
    return new ModelUsage(input, output, 0, 0);
  }

  /** All tokens that went in, cached or not. */
  int allInput() {
    return input + cacheRead + cacheWrite;
  }
}
