package dev.midcourse.proof.model.wire;

/** The language in which a request came. */
public enum WireKind {
  ANTHROPIC_MESSAGES,
  OPENAI_RESPONSES,
  OPENAI_CHAT,
  GEMINI
}
