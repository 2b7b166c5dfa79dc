package dev.midcourse.agents.pi;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.midcourse.agents.program.ProgramVersion;
import dev.midcourse.agents.stdio.Copies;
import dev.midcourse.agents.stdio.MemoJson;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;

/**
 * The state of a conversation with pi, as far as its next lines depend on it.
 *
 * @param version the version of pi
 * @param session the id of the conversation; empty before it is known
 * @param named the id was reported, so there is something to resume
 * @param current the turn
 * @param queue our messages that pi has not shown
 */
record PiMemo(
    String version,
    String session,
    boolean named,
    @JsonUnwrapped TurnState current,
    @JsonUnwrapped Queue queue) {

  static PiMemo fresh(ProgramVersion version) {
    return new PiMemo(
        version.text(),
        "",
        false,
        new TurnState(false, false, 0, "", "", ""),
        new Queue(false, Collections.emptySortedSet(), List.of(), ""));
  }

  static PiMemo read(String memo) {
    return MemoJson.read(memo, PiMemo.class);
  }

  String write() {
    return MemoJson.write(this);
  }

  /** The version in a form that can be compared. */
  ProgramVersion number() {
    return ProgramVersion.in(version);
  }

  PiMemo withSession(String id) {
    return new PiMemo(version, id, named, current, queue);
  }

  PiMemo asNamed() {
    return new PiMemo(version, session, true, current, queue);
  }

  PiMemo with(TurnState turn) {
    return new PiMemo(version, session, named, turn, queue);
  }

  PiMemo with(Queue messages) {
    return new PiMemo(version, session, named, current, messages);
  }

  /**
   * The state of the turn.
   *
   * @param working from the first line of a turn until pi has settled
   * @param interrupted pi was told to end the turn
   * @param opening the turn whose opening message pi has accepted and not shown; 0 for none
   * @param stopped the stop reason of the last answer of the model
   * @param error the error of that answer
   * @param answer the last text of the model in this turn
   */
  record TurnState(
      boolean working,
      boolean interrupted,
      int opening,
      String stopped,
      String error,
      String answer) {

    TurnState asBegun() {
      return new TurnState(true, false, opening, "", "", "");
    }

    TurnState asInterrupted() {
      return new TurnState(working, true, opening, stopped, error, answer);
    }

    TurnState asSettled() {
      return new TurnState(false, interrupted, opening, stopped, error, "");
    }

    TurnState withOpening(int turn) {
      return new TurnState(working, interrupted, turn, stopped, error, answer);
    }

    TurnState withStop(String reason, String why) {
      return new TurnState(working, interrupted, opening, reason, why, answer);
    }

    TurnState withAnswer(String text) {
      return new TurnState(working, interrupted, opening, stopped, error, text);
    }
  }

  /**
   * Our messages that pi has not shown.
   *
   * @param queued whether the queue of pi holds messages
   * @param held steers that pi has accepted and not shown
   * @param turnedAway steers that pi did not accept while it compacted its context
   * @param barrier the barrier that waits until pi has compacted its context; empty for none
   */
  record Queue(boolean queued, SortedSet<String> held, List<String> turnedAway, String barrier) {
    Queue {
      held = Copies.of(held);
      turnedAway = List.copyOf(turnedAway);
    }

    Queue withQueued(boolean some) {
      return new Queue(some, held, turnedAway, barrier);
    }

    Queue withHeld(SortedSet<String> steers) {
      return new Queue(queued, steers, turnedAway, barrier);
    }

    Queue withTurnedAway(List<String> steers) {
      return new Queue(queued, held, steers, barrier);
    }

    Queue withBarrier(String name) {
      return new Queue(queued, held, turnedAway, name);
    }
  }
}
