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
 * @param fatal why the program is of no use any more, if it is not: it is then ended, and these are
 *     the last words that are told of it
 */
public record ProtocolOutput(
    List<AgentEvent> events, List<String> replies, Optional<String> fatal) {
  /** A message that means nothing to us. */
  public static final ProtocolOutput NONE = new ProtocolOutput(List.of(), List.of());

  private static final int MAX_EXCERPT = 200;

  public ProtocolOutput {
    events = List.copyOf(events);
    replies = List.copyOf(replies);
  }

  public ProtocolOutput(List<AgentEvent> events, List<String> replies) {
    this(events, replies, Optional.empty());
  }

  /** The program cannot do what it was started for, and does not leave by itself. */
  public static ProtocolOutput fatal(String why) {
    return new ProtocolOutput(List.of(), List.of(), Optional.of(why));
  }

  public static ProtocolOutput of(AgentEvent... events) {
    return of(List.of(events));
  }

  public static ProtocolOutput of(List<AgentEvent> events) {
    return events.isEmpty() ? NONE : new ProtocolOutput(events, List.of());
  }

  public static ProtocolOutput reply(String... replies) {
    return new ProtocolOutput(List.of(), List.of(replies));
  }

  /** A message that the protocol does not know. */
  public static ProtocolOutput garbage(String message) {
    return of(garbage(message, message.getBytes(StandardCharsets.UTF_8).length));
  }

  static AgentEvent garbage(String text, long bytes) {
    String excerpt = text.length() <= MAX_EXCERPT ? text : text.substring(0, MAX_EXCERPT) + "...";
    return new AgentEvent.Garbage(excerpt, bytes);
  }
}
