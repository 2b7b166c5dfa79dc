package dev.midcourse.agents.stdio;

import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.AskAnswer;
import java.util.List;

/**
 * The protocol of one kind of agent, in both directions, as a pure codec: it does no I/O, has no
 * clock and no threads, and the same lines always give the same events.
 *
 * <p><b>The state of a protocol survives the hub.</b> After a crash, another hub restores the
 * protocol from the {@link #memo} that was stored with the last events and continues to read there.
 * So:
 *
 * <ul>
 *   <li>Only {@link #read} changes the state, and the memo holds the complete state.
 *   <li>Writing changes nothing. The ids of requests are built from the ids of Midcourse ({@code
 *       prompt:3}, {@code steer:ID}, {@code barrier:NAME}), so that an answer names its request and
 *       no table of open requests has to survive.
 *   <li>A message can be written twice: the next hub repeats {@link #hello} and the replies of a
 *       {@link ProtocolOutput} if a hub ended after writing and before storing. The second message
 *       must be harmless: the agent refuses it, or it has no further effect.
 * </ul>
 *
 * <p>A method that writes returns the messages in order, without framing. An empty list means that
 * this agent has no such message. That is the default where an agent may lack it.
 */
public interface Protocol {

  /** Messages that are written before anything was read; the agent answers with its version. */
  default List<String> hello() {
    return List.of();
  }

  /**
   * Takes the next message of the agent. A message that cannot be understood gives {@link
   * ProtocolOutput#garbage}; an exception has the same effect.
   */
  ProtocolOutput read(String message);

  /** Opens a turn. Called only after {@code Started} was read. */
  List<String> prompt(int turn, String message);

  default List<String> steer(SteerId steer, String message) {
    return List.of();
  }

  /**
   * Whether steers that are written in quick succession reach the conversation in that order. If
   * not, a steer is written only after the agent has answered the steer before it.
   */
  default boolean keepsOrder() {
    return true;
  }

  default List<String> interrupt() {
    return List.of();
  }

  /** Asks the agent to return a steer that it holds and has not used. */
  default List<String> withdraw(SteerId steer) {
    return List.of();
  }

  /** Answers a question of the agent. */
  default List<String> answer(String ask, AskAnswer answer) {
    return List.of();
  }

  /** A request whose answer proves that the agent has read all earlier input. */
  default List<String> barrier(String name) {
    return List.of();
  }

  /** Asks the program to exit. Empty if only a signal can end it. */
  default List<String> endSession() {
    return List.of();
  }

  /** The complete state that {@link #read} has built up; small, and changed only by reading. */
  String memo();
}
