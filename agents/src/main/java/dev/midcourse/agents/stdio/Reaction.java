package dev.midcourse.agents.stdio;

import dev.midcourse.core.agent.AgentEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * What follows from a message of an agent: the events it means, and what is written back at once
 * (handshakes). Replies are written before anybody hears the events, so none is missing after a
 * crash, but one may be written twice.
 *
 * @param hopeless why the program is of no use any more, if it is not: it is then ended, and these
 *     are the last words that are told of it
 */
public record Reaction(List<AgentEvent> events, List<String> replies, Optional<String> hopeless) {
  /** A message that means nothing to us. */
  public static final Reaction NONE = new Reaction(List.of(), List.of());

  private static final int LONGEST_EXCERPT = 200;

  public Reaction {
    events = List.copyOf(events);
    replies = List.copyOf(replies);
  }

  public Reaction(List<AgentEvent> events, List<String> replies) {
    this(events, replies, Optional.empty());
  }

  /** The program cannot do what it was started for, and does not leave by itself. */
  public static Reaction hopeless(String why) {
    return new Reaction(List.of(), List.of(), Optional.of(why));
  }

  public static Reaction of(AgentEvent... events) {
    return of(List.of(events));
  }

  public static Reaction of(List<AgentEvent> events) {
    return events.isEmpty() ? NONE : new Reaction(events, List.of());
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
