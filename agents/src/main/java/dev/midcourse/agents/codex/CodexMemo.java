package dev.midcourse.agents.codex;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.midcourse.agents.stdio.Copies;
import dev.midcourse.agents.stdio.MemoJson;
import dev.midcourse.core.agent.Usage;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import tools.jackson.databind.node.ObjectNode;

/**
 * The state of a conversation with Codex, as far as its next messages depend on it.
 *
 * @param version the version of Codex; empty before it is known
 * @param thread the id of the conversation; empty before it is known
 * @param named the id was reported, so there is something to resume
 * @param current the turn
 * @param counted whether {@code total} is known; in a resumed thread it is not known at first
 * @param total the usage of the whole thread, by its last report
 * @param asks the open questions of Codex, by the name of the ask
 */
record CodexMemo(
    String version,
    String thread,
    boolean named,
    @JsonUnwrapped TurnState current,
    boolean counted,
    @JsonUnwrapped Usage total,
    SortedMap<String, ObjectNode> asks) {
  static final CodexMemo FRESH =
      new CodexMemo(
          "",
          "",
          false,
          new TurnState("", false, false, false, false, "", List.of()),
          false,
          Usage.NOTHING,
          Collections.emptySortedMap());

  CodexMemo {
    asks = Copies.of(asks);
  }

  static CodexMemo read(String memo) {
    return MemoJson.read(memo, CodexMemo.class);
  }

  String write() {
    return MemoJson.write(this);
  }

  CodexMemo withVersion(String itsVersion) {
    return new CodexMemo(itsVersion, thread, named, current, counted, total, asks);
  }

  CodexMemo withThread(String id) {
    return new CodexMemo(version, id, named, current, counted, total, asks);
  }

  CodexMemo asNamed() {
    return new CodexMemo(version, thread, true, current, counted, total, asks);
  }

  CodexMemo with(TurnState turn) {
    return new CodexMemo(version, thread, named, turn, counted, total, asks);
  }

  CodexMemo withTotal(Usage now) {
    return new CodexMemo(version, thread, named, current, true, now, asks);
  }

  CodexMemo withAsks(SortedMap<String, ObjectNode> open) {
    return new CodexMemo(version, thread, named, current, counted, total, open);
  }

  /**
   * The state of the turn.
   *
   * @param id the id that Codex gave the turn; empty between turns
   * @param opening Codex has accepted the opening of a turn that has not begun
   * @param cleaning the turn was interrupted, and the commands that it left running are being ended
   * @param unanswered a steer is in the conversation, and the model has said or done nothing since
   * @param goingOn the turn ended with such a steer, and a turn that answers it was requested
   * @param answer the last text of the model in this turn
   * @param turnedAway steers that the running turn did not accept
   */
  record TurnState(
      @JsonProperty("turn") String id,
      boolean opening,
      boolean cleaning,
      boolean unanswered,
      boolean goingOn,
      String answer,
      List<String> turnedAway) {
    TurnState {
      turnedAway = List.copyOf(turnedAway);
    }

    TurnState asOpening() {
      return new TurnState(id, true, cleaning, unanswered, goingOn, answer, turnedAway);
    }

    TurnState asBegun() {
      return new TurnState(id, false, cleaning, false, goingOn, "", turnedAway);
    }

    TurnState withId(String turn) {
      return new TurnState(turn, opening, cleaning, unanswered, goingOn, answer, turnedAway);
    }

    TurnState withCleaning(boolean is) {
      return new TurnState(id, opening, is, unanswered, goingOn, answer, turnedAway);
    }

    TurnState withUnanswered(boolean is) {
      return new TurnState(id, opening, cleaning, is, goingOn, answer, turnedAway);
    }

    TurnState withGoingOn(boolean is) {
      return new TurnState(id, opening, cleaning, unanswered, is, answer, turnedAway);
    }

    TurnState withAnswer(String text) {
      return new TurnState(id, opening, cleaning, unanswered, goingOn, text, turnedAway);
    }

    TurnState withTurnedAway(List<String> steers) {
      return new TurnState(id, opening, cleaning, unanswered, goingOn, answer, steers);
    }
  }
}
