package dev.midcourse.agents.stdio;

import dev.midcourse.agents.Agent;
import dev.midcourse.core.id.SteerId;
import java.util.List;

/**
 * The words of one kind of agent, in both directions, as a pure codec: it does no I/O, has no clock
 * and no threads, and the same lines always give the same events.
 *
 * <p><b>It survives the hub.</b> After a crash another hub restores it from the {@link #memo} that
 * was stored with the last events and reads on from there. So:
 *
 * <ul>
 *   <li>Only {@link #read} changes it, and what it needs to understand the rest is in the memo.
 *   <li>Writing changes nothing. Ids of requests are made of ours ({@code prompt:3}, {@code
 *       steer:ID}, {@code barrier:NAME}), so that an answer explains itself and no table of open
 *       requests has to survive.
 *   <li>A message is at times written twice: {@link #hello} and the replies of a {@link
 *       ProtocolOutput} are repeated by the next hub when one died after writing and before
 *       storing. The second one must be harmless: refused by the agent, or without a further
 *       effect.
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
   * Whether steers that are written one right after the other reach the conversation in that order.
   * If not, one is written only when the agent has answered for the one before.
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
  default List<String> answer(String ask, Agent.QuestionAnswer answer) {
    return List.of();
  }

  /** A request whose answer proves that the agent has read all earlier input. */
  default List<String> barrier(String name) {
    return List.of();
  }

  /** Asks the program to exit. Empty if only a signal can end it. */
  default List<String> goodbye() {
    return List.of();
  }

  /** The complete state that {@link #read} has built up; small, and changed only by reading. */
  String memo();
}
