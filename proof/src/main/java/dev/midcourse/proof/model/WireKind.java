package dev.midcourse.proof.model;

/** The language in which a request came. */
public enum WireKind {
  ANTHROPIC_MESSAGES,
  OPENAI_RESPONSES,
  OPENAI_CHAT,
  GEMINI
}
