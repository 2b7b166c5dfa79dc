package dev.midcourse.engine.supervise;

import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.steer.TurnState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The facts about one attempt that its parts share and the ledger does not have. Only the thread of
 * the supervisor uses it.
 *
 * <p>Each fact has one writer, and all parts may read it:
 *
 * <ul>
 *   <li>{@link AgentEventHandler} writes the capabilities, the start, the exit, the passed barrier,
 *       the answers to withdrawals, and that a turn runs or has settled.
 *   <li>{@link TurnOpener} writes that a turn opens.
 *   <li>{@link SteerDelivery} writes that a turn is being interrupted.
 *   <li>The {@link ActivityTracker} of life belong to {@link AgentEventHandler}; a part that gives
 *       the agent something to do restarts them.
 * </ul>
 */
final class AttemptState {
  private final ActivityTracker activity;
  private final List<AgentEvent.SteerGivenBack> withdrawalAnswers = new ArrayList<>();
  private TurnState turn;
  private Capabilities capabilities;
  private boolean started;
  private Optional<AgentEvent.Exited> exited = Optional.empty();
  private Optional<String> passedBarrier = Optional.empty();

  /**
   * @param capabilities the measured capabilities, or the expected ones before the agent starts
   * @param started whether the agent has reported its start
   */
  AttemptState(
      ActivityTracker activity, TurnState turn, Capabilities capabilities, boolean started) {
    this.activity = activity;
    this.turn = turn;
    this.capabilities = capabilities;
    this.started = started;
  }

  ActivityTracker activity() {
    return activity;
  }

  TurnState turn() {
    return turn;
  }

  /** Whether the last turn has ended and no other has begun. */
  boolean hasSettled() {
    return turn instanceof TurnState.Settled;
  }

  void openTurn(int number) {
    turn = new TurnState.Opening(number);
  }

  /** A turn that is being interrupted stays so until it ends. */
  void startTurn(int number) {
    if (!(turn instanceof TurnState.Interrupting)) {
      turn = new TurnState.Running(number);
    }
  }

  void interruptTurn(int number) {
    turn = new TurnState.Interrupting(number);
  }

  void settleTurn(int number) {
    turn = new TurnState.Settled(number);
  }

  Capabilities can() {
    return capabilities;
  }

  boolean started() {
    return started;
  }

  void start(Capabilities measured) {
    started = true;
    capabilities = measured;
  }

  Optional<AgentEvent.Exited> exited() {
    return exited;
  }

  void exit(AgentEvent.Exited event) {
    exited = Optional.of(event);
  }

  boolean hasPassed(String barrier) {
    return passedBarrier.equals(Optional.of(barrier));
  }

  void passBarrier(String name) {
    passedBarrier = Optional.of(name);
  }

  void addWithdrawalAnswer(AgentEvent.SteerGivenBack answer) {
    withdrawalAnswers.add(answer);
  }

  /** The agent's answers to withdrawals since the last call. */
  List<AgentEvent.SteerGivenBack> drainWithdrawalAnswers() {
    List<AgentEvent.SteerGivenBack> answers = List.copyOf(withdrawalAnswers);
    withdrawalAnswers.clear();
    return answers;
  }
}
