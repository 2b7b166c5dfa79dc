package dev.midcourse.core.run;

/** What a run has used: tokens in and out, and money in millionths of a US dollar. */
public record Spent(long inputTokens, long outputTokens, long microDollars) {
  public static final Spent NOTHING = new Spent(0, 0, 0);

  public Spent plus(Spent more) {
    return new Spent(
        inputTokens + more.inputTokens,
        outputTokens + more.outputTokens,
        microDollars + more.microDollars);
  }
}
