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
 *   <li>A message is at times written twice: {@link #hello} and the replies of a {@link Reaction}
 *       are repeated by the next hub when one died after writing and before storing. The second one
 *       must be harmless: refused by the agent, or without a further effect.
 * </ul>
 *
 * <p>A method that writes returns the messages in order, without framing; an empty list means that
 * this agent has no such thing.
 */
public interface Protocol {

  /** What to write before anything was read, to get the agent to say who it is. */
  List<String> hello();

  /**
   * Takes the next message of the agent. What cannot be understood is told by {@link
   * Reaction#garbage}; an exception counts as that too.
   */
  Reaction read(String message);

  /** Called only after {@code Started} was read. */
  List<String> prompt(int turn, String message);

  List<String> steer(SteerId steer, String message);

  /**
   * Whether steers that are written one right after the other reach the conversation in that order.
   * If not, one is written only when the agent has answered for the one before.
   */
  default boolean keepsOrder() {
    return true;
  }

  List<String> interrupt();

  List<String> withdraw(SteerId steer);

  List<String> answer(String ask, Agent.Answer answer);

  List<String> barrier(String name);

  /** Asks the program to leave; empty if only a signal can. */
  List<String> goodbye();

  /** All it must remember of what it has read; small, and never null or changing by itself. */
  String memo();
}
