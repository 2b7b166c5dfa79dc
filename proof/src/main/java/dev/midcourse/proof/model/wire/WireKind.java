package dev.midcourse.proof.model.wire;

/** The wire format of a request. */
public enum WireKind {
  ANTHROPIC_MESSAGES,
  OPENAI_RESPONSES,
  OPENAI_CHAT,
  GEMINI
}
