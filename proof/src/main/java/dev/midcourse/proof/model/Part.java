package dev.midcourse.proof.model;

/** A part of an answer. Parts are sent in order. */
public sealed interface Part {

  /** Text with its speed. */
  record Text(String text, Pace pace) implements Part {
    static Text of(String text) {
      return new Text(text, Pace.AT_ONCE);
    }
  }

  /** A pause in the answer until the gate opens. */
  record Pause(Gate gate) implements Part {}

  /** A call of a tool of the agent. */
  record Call(ToolCall tool) implements Part {}
}
