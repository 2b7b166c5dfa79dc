package dev.midcourse.agents.stdio;

import dev.midcourse.core.agent.AgentEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What follows from a message of an agent: the events it means, and what is written back at once
 * (handshakes). Replies are written before anybody hears the events, so none is missing after a
 * crash, but one may be written twice.
 */
public record Reaction(List<AgentEvent> events, List<String> replies) {
  /** A message that means nothing to us. */
  public static final Reaction NONE = new Reaction(List.of(), List.of());

  private static final int LONGEST_EXCERPT = 200;

  public Reaction {
    events = List.copyOf(events);
    replies = List.copyOf(replies);
  }

  public static Reaction of(AgentEvent... events) {
    return new Reaction(List.of(events), List.of());
  }

  public static Reaction reply(String... replies) {
    return new Reaction(List.of(), List.of(replies));
  }

  /** A message that the protocol does not know. */
  public static Reaction garbage(String message) {
    return of(garbage(message, message.getBytes(StandardCharsets.UTF_8).length));
  }

  static AgentEvent garbage(String text, long bytes) {
    String excerpt =
        text.length() <= LONGEST_EXCERPT ? text : text.substring(0, LONGEST_EXCERPT) + "...";
    return new AgentEvent.Garbage(excerpt, bytes);
  }
}
