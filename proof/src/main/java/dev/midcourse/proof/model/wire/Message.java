package dev.midcourse.proof.model.wire;

/** One thing that stands in the conversation of a request, as plain text. */
public record Message(Role role, String text) {

  /** Who it comes from. {@code SYSTEM} here is what the agent puts between the others. */
  public enum Role {
    SYSTEM,
    USER,
    ASSISTANT,
    TOOL
  }
}
