package dev.midcourse.proof.model.wire;

/** One message of the conversation of a request, as plain text. */
public record Message(Role role, String text) {

  /**
   * The author of a message. {@code SYSTEM} is text that the agent inserts into the conversation.
   */
  public enum Role {
    SYSTEM,
    USER,
    ASSISTANT,
    TOOL
  }
}
