package dev.midcourse.core.agent;

/** The usage of a run: input tokens, output tokens, and cost in millionths of a US dollar. */
public record Usage(long inputTokens, long outputTokens, long microDollars) {
  public static final Usage NOTHING = new Usage(0, 0, 0);

  public Usage plus(Usage more) {
    return new Usage(
        inputTokens + more.inputTokens,
        outputTokens + more.outputTokens,
        microDollars + more.microDollars);
  }
}
