package dev.midcourse.core.agent;

/** What a run has used: tokens in and out, and money in millionths of a US dollar. */
public record Usage(long inputTokens, long outputTokens, long microDollars) {
  public static final Usage NOTHING = new Usage(0, 0, 0);

  public Usage plus(Usage more) {
    return new Usage(
        inputTokens + more.inputTokens,
        outputTokens + more.outputTokens,
        microDollars + more.microDollars);
  }
}
