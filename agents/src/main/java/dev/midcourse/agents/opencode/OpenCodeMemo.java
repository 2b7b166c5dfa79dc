package dev.midcourse.agents.opencode;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.midcourse.agents.stdio.Copies;
import dev.midcourse.agents.stdio.MemoJson;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;

/**
 * The state of an OpenCode session, as far as the rest of its log depends on it.
 *
 * @param started OpenCode has reported its version
 * @param named the session id was reported, so there is something to resume
 * @param settled a turn has ended; OpenCode does not use its held messages by itself now
 * @param current the turn
 * @param held ids of messages that OpenCode has accepted and not shown, in their order
 * @param asks the open questions of OpenCode
 */
record OpenCodeMemo(
    boolean started,
    boolean named,
    boolean settled,
    @JsonUnwrapped TurnState current,
    List<String> held,
    SortedSet<String> asks) {
  static final OpenCodeMemo FRESH =
      new OpenCodeMemo(
          false,
          false,
          false,
          new TurnState(false, false, "", false, "", ""),
          List.of(),
          Collections.emptySortedSet());

  OpenCodeMemo {
    held = List.copyOf(held);
    asks = Copies.of(asks);
  }

  static OpenCodeMemo read(String memo) {
    return MemoJson.read(memo, OpenCodeMemo.class);
  }

  String write() {
    return MemoJson.write(this);
  }

  OpenCodeMemo asStarted() {
    return new OpenCodeMemo(true, named, settled, current, held, asks);
  }

  OpenCodeMemo asNamed() {
    return new OpenCodeMemo(started, true, settled, current, held, asks);
  }

  OpenCodeMemo asSettled() {
    return new OpenCodeMemo(started, named, true, current.asIdle(), held, asks);
  }

  OpenCodeMemo with(TurnState turn) {
    return new OpenCodeMemo(started, named, settled, turn, held, asks);
  }

  /** A message that is held already keeps its place. */
  OpenCodeMemo withHeld(String message) {
    return held.contains(message) ? this : withHeld(Copies.with(held, message));
  }

  OpenCodeMemo withoutHeld(String message) {
    return withHeld(Copies.without(held, message));
  }

  private OpenCodeMemo withHeld(List<String> messages) {
    return new OpenCodeMemo(started, named, settled, current, messages, asks);
  }

  OpenCodeMemo withAsks(SortedSet<String> open) {
    return new OpenCodeMemo(started, named, settled, current, held, open);
  }

  /**
   * The state of the turn.
   *
   * @param working from the first message of a turn until the session was found idle
   * @param interrupted OpenCode was told to end the turn
   * @param finish how the last step of the turn ended; empty before the first step has ended
   * @param stepping a step has begun and not ended
   * @param error why the last step failed; empty if it did not
   * @param answer the last text of the model in this turn
   */
  record TurnState(
      boolean working,
      boolean interrupted,
      String finish,
      boolean stepping,
      String error,
      String answer) {

    TurnState asBegun() {
      return new TurnState(true, false, "", false, "", "");
    }

    TurnState asIdle() {
      return new TurnState(false, interrupted, finish, stepping, error, answer);
    }

    TurnState withInterrupted(boolean is) {
      return new TurnState(working, is, finish, stepping, error, answer);
    }

    TurnState asStepping() {
      return new TurnState(working, interrupted, finish, true, "", answer);
    }

    TurnState withFinish(String how) {
      return new TurnState(working, interrupted, how, false, error, answer);
    }

    TurnState withError(String why) {
      return new TurnState(working, interrupted, finish, false, why, answer);
    }

    TurnState withAnswer(String text) {
      return new TurnState(working, interrupted, finish, stepping, error, text);
    }
  }
}
