package dev.midcourse.core.prompt;

import java.time.Instant;
import java.util.Optional;

/**
 * One message of a person as an agent is to read it.
 *
 * @param id the name by which the agent refers to the message, if it can do so
 * @param from the chat that the message comes from, if the agent has several
 * @param sender the name of the person
 * @param replyTo the message that this one answers
 */
public record PromptMessage(
    Optional<String> id,
    Optional<String> from,
    String sender,
    Instant time,
    String text,
    Optional<Reply> replyTo) {

  /**
   * The message that another one answers.
   *
   * @param quote its sender and text, if both are known
   */
  public record Reply(String id, Optional<Quote> quote) {}

  /** What a message said to which the sender replied. */
  public record Quote(String sender, String text) {}

  /** Returns a message that is no reply and that the agent cannot refer to. */
  public static PromptMessage of(String sender, Instant time, String text) {
    return new PromptMessage(
        Optional.empty(), Optional.empty(), sender, time, text, Optional.empty());
  }

  public PromptMessage withId(String name) {
    return new PromptMessage(Optional.of(name), from, sender, time, text, replyTo);
  }

  public PromptMessage withFrom(String chat) {
    return new PromptMessage(id, Optional.of(chat), sender, time, text, replyTo);
  }

  public PromptMessage withReplyTo(Reply reply) {
    return new PromptMessage(id, from, sender, time, text, Optional.of(reply));
  }
}
