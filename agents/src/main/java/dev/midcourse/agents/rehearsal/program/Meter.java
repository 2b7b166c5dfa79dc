package dev.midcourse.agents.rehearsal.program;

import dev.midcourse.core.agent.Usage;
import java.nio.charset.StandardCharsets;

/** Estimates the usage of the agent: one token per four bytes, at a made-up price. */
final class Meter {
  private static final int INPUT_PRICE = 3;
  private static final int OUTPUT_PRICE = 15;

  private long input;
  private long output;

  void countInput(String text) {
    input += tokens(text);
  }

  void said(String text) {
    output += tokens(text);
  }

  /** Returns the usage since the last call of this method. */
  Usage take() {
    Usage used = new Usage(input, output, INPUT_PRICE * input + OUTPUT_PRICE * output);
    input = 0;
    output = 0;
    return used;
  }

  private static int tokens(String text) {
    return (text.getBytes(StandardCharsets.UTF_8).length + 3) / 4;
  }
}
