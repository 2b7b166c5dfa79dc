package dev.midcourse.proof.model;

/** A piece of an answer, in the order in which it is sent. */
public sealed interface Part {

  /** Text, sent at a pace. */
  record Text(String text, Pace pace) implements Part {
    static Text of(String text) {
      return new Text(text, Pace.AT_ONCE);
    }
  }

  /** A stop in the middle of the answer until the gate opens. */
  record Pause(Gate gate) implements Part {}

  /** A call of one of the agent's tools. */
  record Call(ToolCall tool) implements Part {}
}
