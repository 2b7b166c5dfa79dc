package dev.midcourse.agents.stdio;

import dev.midcourse.core.agent.AgentEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The result of reading one message of an agent: its events, and the replies that are written at
 * once, for example in a handshake. Replies are written before the listener gets the events. So no
 * reply is lost in a crash, but a reply may be written twice.
 *
 * @param fatal the reason why the program is unusable, if it is: the program is then ended, and its
 *     exit is reported with this reason
 */
public record ProtocolOutput(
    List<AgentEvent> events, List<String> replies, Optional<String> fatal) {
  /** The result of a message without events. */
  public static final ProtocolOutput NONE = new ProtocolOutput(List.of(), List.of());

  private static final int MAX_EXCERPT = 200;

  public ProtocolOutput {
    events = List.copyOf(events);
    replies = List.copyOf(replies);
  }

  public ProtocolOutput(List<AgentEvent> events, List<String> replies) {
    this(events, replies, Optional.empty());
  }

  /** The program cannot do its task and does not exit by itself. */
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

  /** The result of a message that the protocol does not know. */
  public static ProtocolOutput garbage(String message) {
    return of(garbage(message, message.getBytes(StandardCharsets.UTF_8).length));
  }

  static AgentEvent garbage(String text, long bytes) {
    String excerpt = text.length() <= MAX_EXCERPT ? text : text.substring(0, MAX_EXCERPT) + "...";
    return new AgentEvent.Garbage(excerpt, bytes);
  }
}
