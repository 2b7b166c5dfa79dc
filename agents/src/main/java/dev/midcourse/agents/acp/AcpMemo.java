package dev.midcourse.agents.acp;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.midcourse.agents.stdio.Copies;
import dev.midcourse.agents.stdio.MemoJson;
import java.util.Collections;
import java.util.SortedMap;

/**
 * The state of a conversation, as far as the next messages of the agent depend on it.
 *
 * @param greeting what the agent has reported about itself
 * @param conversation the session and what is still to be set in it
 * @param current the turn
 * @param tools tools in use, with their names; a name begins with a plus once it was reported
 * @param cost the cost of the session
 */
record AcpMemo(
    @JsonUnwrapped Greeting greeting,
    @JsonUnwrapped Conversation conversation,
    @JsonUnwrapped TurnState current,
    SortedMap<String, String> tools,
    @JsonUnwrapped Cost cost) {
  static final AcpMemo FRESH =
      new AcpMemo(
          new Greeting("", "", false, false, false),
          new Conversation("", "", false, false, false),
          new TurnState(0, 0, false, "", "", Collections.emptySortedMap()),
          Collections.emptySortedMap(),
          new Cost(0, true, 0));

  AcpMemo {
    tools = Copies.of(tools);
  }

  static AcpMemo read(String memo) {
    return MemoJson.read(memo, AcpMemo.class);
  }

  String write() {
    return MemoJson.write(this);
  }

  /**
   * What the agent has reported about itself.
   *
   * @param agent its name
   * @param version its version
   * @param steering it offers the extension for steers
   * @param resumes it resumes a session without repeating the conversation
   * @param loads it loads a session and repeats the conversation
   */
  record Greeting(String agent, String version, boolean steering, boolean resumes, boolean loads) {}

  /**
   * The session and what is still to be set in it.
   *
   * @param id the id of the session; empty before there is one
   * @param mode the mode that is still to be set; empty for none
   * @param model whether the model is still to be set
   * @param started the conversation is ready
   * @param named the id was reported, so there is something to resume
   */
  record Conversation(
      @JsonProperty("session") String id,
      String mode,
      boolean model,
      boolean started,
      boolean named) {

    Conversation withModelSet() {
      return new Conversation(id, mode, false, started, named);
    }

    Conversation withModeSet() {
      return new Conversation(id, "", model, started, named);
    }

    Conversation asStarted() {
      return new Conversation(id, mode, model, true, named);
    }

    Conversation asNamed() {
      return new Conversation(id, mode, model, started, true);
    }
  }

  /**
   * The state of the turn.
   *
   * @param turn the turn whose prompt the agent has read and not answered; 0 for none
   * @param ended the last turn whose prompt the agent has answered
   * @param injected the model was seen to work on the prompt of the turn
   * @param saying text of the model that was not reported yet
   * @param answer all text of the last message
   * @param asks open requests for permission
   */
  record TurnState(
      int turn,
      int ended,
      boolean injected,
      String saying,
      String answer,
      SortedMap<String, Permission> asks) {
    TurnState {
      asks = Copies.of(asks);
    }

    TurnState asBegun(int number) {
      return new TurnState(number, ended, false, saying, answer, asks);
    }

    TurnState asEnded(int number) {
      return new TurnState(0, number, injected, saying, "", Collections.emptySortedMap());
    }

    TurnState asInjected() {
      return new TurnState(turn, ended, true, saying, answer, asks);
    }

    TurnState withText(String more) {
      return new TurnState(turn, ended, injected, saying + more, answer + more, asks);
    }

    TurnState withSaying(String rest) {
      return new TurnState(turn, ended, injected, rest, answer, asks);
    }

    TurnState withoutAnswer() {
      return new TurnState(turn, ended, injected, saying, "", asks);
    }

    TurnState withAsk(String ask, Permission options) {
      return new TurnState(turn, ended, injected, saying, answer, Copies.with(asks, ask, options));
    }
  }

  /** The options of a request: the one that allows it, the one that does not; empty for none. */
  record Permission(String allow, String deny) {}

  /**
   * The cost of the session in millionths of a US dollar.
   *
   * @param microDollars the cost at the end of the last turn
   * @param costKnown whether {@code microDollars} is known; in a resumed session it is not at first
   * @param costNow the cost by the last report
   */
  record Cost(long microDollars, boolean costKnown, long costNow) {

    Cost ofSession(boolean resumed) {
      return new Cost(microDollars, !resumed, costNow);
    }

    Cost withNow(long sum) {
      return new Cost(microDollars, costKnown, sum);
    }

    /** The cost of the turn that ends now; 0 if it is not known. */
    long ofTurn() {
      return costKnown ? Math.max(0, costNow - microDollars) : 0;
    }

    Cost atEndOfTurn() {
      return costNow > 0 ? new Cost(costNow, true, costNow) : this;
    }
  }
}
