package dev.midcourse.engine.attempt;

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
 *   <li>{@code AgentEventHandler} writes the capabilities, the start, the exit, the passed barrier,
 *       the answers to withdrawals, and that a turn runs or has settled.
 *   <li>{@code TurnOpener} writes that a turn opens.
 *   <li>{@code SteerDelivery} writes that a turn is being interrupted.
 *   <li>{@code AgentEventHandler} updates the {@link ActivityTracker}; a part that gives the agent
 *       something to do restarts it.
 * </ul>
 */
public final class AttemptState {
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
  public AttemptState(
      ActivityTracker activity, TurnState turn, Capabilities capabilities, boolean started) {
    this.activity = activity;
    this.turn = turn;
    this.capabilities = capabilities;
    this.started = started;
  }

  public ActivityTracker activity() {
    return activity;
  }

  public TurnState turn() {
    return turn;
  }

  /** Whether the last turn has ended and no other has begun. */
  public boolean hasSettled() {
    return turn instanceof TurnState.Settled;
  }

  public void openTurn(int number) {
    turn = new TurnState.Opening(number);
  }

  /** A turn that is being interrupted stays so until it ends. */
  public void startTurn(int number) {
    if (!(turn instanceof TurnState.Interrupting)) {
      turn = new TurnState.Running(number);
    }
  }

  public void interruptTurn(int number) {
    turn = new TurnState.Interrupting(number);
  }

  public void settleTurn(int number) {
    turn = new TurnState.Settled(number);
  }

  public Capabilities can() {
    return capabilities;
  }

  public boolean started() {
    return started;
  }

  public void start(Capabilities measured) {
    started = true;
    capabilities = measured;
  }

  public Optional<AgentEvent.Exited> exited() {
    return exited;
  }

  public void exit(AgentEvent.Exited event) {
    exited = Optional.of(event);
  }

  public boolean hasPassed(String barrier) {
    return passedBarrier.equals(Optional.of(barrier));
  }

  public void passBarrier(String name) {
    passedBarrier = Optional.of(name);
  }

  public void addWithdrawalAnswer(AgentEvent.SteerGivenBack answer) {
    withdrawalAnswers.add(answer);
  }

  /** The agent's answers to withdrawals since the last call. */
  public List<AgentEvent.SteerGivenBack> drainWithdrawalAnswers() {
    List<AgentEvent.SteerGivenBack> answers = List.copyOf(withdrawalAnswers);
    withdrawalAnswers.clear();
    return answers;
  }
}
