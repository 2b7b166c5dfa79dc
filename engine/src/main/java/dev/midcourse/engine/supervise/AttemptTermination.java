package dev.midcourse.engine.supervise;

import dev.midcourse.agents.Agent;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Limits;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.RunOutcome;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerChange;
import dev.midcourse.core.steer.SteeringPlan;
import dev.midcourse.engine.attempt.AttemptContext;
import dev.midcourse.engine.attempt.AttemptState;
import dev.midcourse.engine.attempt.AttemptUnitOfWork;
import dev.midcourse.engine.attempt.SupervisorMailbox;
import dev.midcourse.engine.attempt.SupervisorMessage;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.engine.queue.RunTermination;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Ends an attempt: finished, stopped, at a limit, or lost. A run ends only in a transaction that
 * finds no open steer, or that ends each open one. A run is called stopped only when none of its
 * processes is alive.
 */
final class AttemptTermination {
  private static final Duration LAST_OUTPUT_TIMEOUT = Duration.ofSeconds(2);

  /** After this many lost attempts in a row, a session that the agent refuses is given up. */
  private static final int MIN_REFUSALS_OF_A_SESSION = 3;

  private final AttemptUnitOfWork unitOfWork;
  private final AttemptState state;
  private final Agent agent;
  private final SupervisorMailbox mailbox;
  private final EngineSettings settings;
  private final AgentEventHandler eventHandler;
  private final SteerCommandHandler commandHandler;
  private final CompletionCheck completionCheck;
  private final RecordedPassages.SessionRecord sessionRecord;

  AttemptTermination(
      AttemptContext context,
      AgentEventHandler eventHandler,
      SteerCommandHandler commandHandler,
      CompletionCheck completionCheck,
      RecordedPassages.SessionRecord sessionRecord) {
    this.unitOfWork = context.unitOfWork();
    this.state = context.state();
    this.agent = context.agent();
    this.mailbox = context.mailbox();
    this.settings = context.settings();
    this.eventHandler = eventHandler;
    this.commandHandler = commandHandler;
    this.completionCheck = completionCheck;
    this.sessionRecord = sessionRecord;
  }

  /**
   * Ends the run after its last turn. Returns false, and the run goes on, when a steer has come in
   * the meantime.
   */
  boolean finish() {
    RunOutcome outcome = outcome();
    noteTampering();
    if (outcome.state() == RunState.FAILED) {
      closeConversation("the turn ended in an error");
    }
    boolean over =
        unitOfWork.finish((tx, row) -> {
          List<Steer> open = tx.openSteers(row.id());
          if (!SteeringPlan.canEnd(open)) {
            return Optional.of(open);
          }
          completionCheck.record(tx);
          RunTermination.end(
              tx, row, outcome, 0, "the run ended; there is no next call for it", unitOfWork.now());
          return Optional.empty();
        });
    if (over) {
      agent.end(settings.grace());
      unitOfWork.closeAttempt("the run ended: " + outcome.state().wire());
    }
    return over;
  }

  /** Ends all processes of the run, and then the run as stopped. */
  void stop() throws InterruptedException {
    Agent.StopResult ended = agent.end(settings.grace());
    readLastOutput();
    noteTampering();
    settleInTransit(recorded(Optional.empty()));
    closeConversation("the run was stopped in its turn");
    String evidence = "stopped; " + ended.processes() + " processes ended, none is left";
    unitOfWork.finish((tx, row) -> {
      RunTermination.end(
          tx,
          row,
          new RunOutcome(RunState.STOPPED, evidence),
          ended.processes(),
          "the run was stopped before it was delivered",
          unitOfWork.now());
      return Optional.empty();
    });
    unitOfWork.closeAttempt("stopped");
  }

  /**
   * Ends a run that has reached a limit. A run that finished before its agent was ended counts as
   * finished.
   */
  void endAtLimit(Limits.Reached reached) throws InterruptedException {
    Agent.StopResult ended = agent.end(settings.grace());
    readLastOutput();
    if (hasFinishedFirst() && !completionCheck.isRepairDue() && finish()) {
      return;
    }
    settleInTransit(recorded(Optional.empty()));
    unitOfWork.append(new RunEvent.LimitReached(WireNames.name(reached.limit()), reached.reason()));
    fail(new RunOutcome(state(reached.limit()), reached.reason()), ended.processes());
  }

  /**
   * Takes over the commits of an agent in a sandbox. Records in the log that git files were
   * tampered with, that commits are not taken over, or that the agent has put a repository at the
   * place of a submodule.
   */
  void noteTampering() {
    Optional<String> tampering = completionCheck.tampering();
    tampering.ifPresent(what -> unitOfWork.append(new RunEvent.Noted(what)));
    if (tampering.isEmpty()) {
      for (String what : completionCheck.foreignSubmodules()) {
        unitOfWork.append(new RunEvent.Noted(what));
      }
    }
  }

  private static RunState state(Limits.Limit limit) {
    return switch (limit) {
      case TIME -> RunState.FAILED_TIMEOUT;
      case TOKENS, COST -> RunState.FAILED;
    };
  }

  /**
   * Ends an attempt whose agent is gone or given up. The run is queued for another attempt. It
   * fails after too many attempts, or when another attempt can only end the same way.
   */
  void endLost(String reason) throws InterruptedException {
    boolean byItself = state.exited().filter(AgentEvent.Exited::byItself).isPresent();
    boolean permanent = state.exited().filter(AgentEvent.Exited::permanent).isPresent();
    Agent.StopResult ended = agent.end(settings.grace());
    readLastOutput();
    boolean finishedFirst = hasFinishedFirst();
    if (finishedFirst && !completionCheck.isRepairDue() && finish()) {
      return;
    }
    boolean resumable = isResumable(byItself);
    RecordedPassages recorded = recorded(turn());
    Run run = unitOfWork.run();
    boolean last = permanent || run.failures() + 1 >= run.spec().maxAttempts();
    if (resumable || last) {
      settleInTransit(recorded);
    } else {
      forgetConversation();
    }
    if (last) {
      String why =
          permanent ? reason : reason + " (" + (run.failures() + 1) + " attempts in a row)";
      fail(new RunOutcome(RunState.FAILED, why), ended.processes());
      return;
    }
    Instant now = unitOfWork.now();
    Duration pause =
        finishedFirst ? Duration.ZERO : settings.retry().pauseAfter(run.failures() + 1);
    unitOfWork.append(
        new RunEvent.AttemptLost(
            unitOfWork.attemptNumber(),
            reason,
            pause.isZero() ? Optional.empty() : Optional.of(now.plus(pause)),
            resumable));
    unitOfWork.change(unitOfWork.attempt().ended(now, reason));
    boolean promptLost = recorded.lacksTask(turn().filter(TurnRecord::taken).isPresent());
    unitOfWork.change(
        new RunChange.AttemptLost(
            unitOfWork.attemptNumber(), pause, !resumable, promptLost, reason, now));
    unitOfWork.commit();
  }

  /**
   * Whether the next attempt resumes the session. It does not when the agent cannot resume, or has
   * refused this session several times. An agent that was killed has refused nothing: without its
   * session, every steer it holds would come into a second conversation.
   */
  private boolean isResumable(boolean byItself) {
    boolean refused =
        byItself
            && unitOfWork.attempt().resumes()
            && !state.started()
            && unitOfWork.run().failures() + 1 >= MIN_REFUSALS_OF_A_SESSION;
    return state.can().has(Capability.RESUME) && unitOfWork.run().session().isPresent() && !refused;
  }

  private void fail(RunOutcome outcome, int processes) {
    noteTampering();
    closeConversation("the run failed in its turn");
    unitOfWork.finish((tx, row) -> {
      RunTermination.end(
          tx, row, outcome, processes, "the run failed before it was delivered", unitOfWork.now());
      return Optional.empty();
    });
    unitOfWork.closeAttempt(outcome.summary());
  }

  /**
   * Ends all processes of an attempt that does not own its run any more. Changes nothing but the
   * attempt.
   */
  void endFenced() {
    Agent.StopResult ended = agent.end(settings.grace());
    unitOfWork.closeAttempt(
        "another attempt or host owns the run; " + ended.processes() + " processes ended");
  }

  /** Whether the last output of the agent completed the turn. */
  private boolean hasFinishedFirst() {
    return state.hasSettled() && hasCompleted();
  }

  private boolean hasCompleted() {
    return turn().filter(TurnRecord::completed).isPresent();
  }

  private Optional<TurnRecord> turn() {
    return unitOfWork.turn().filter(record -> record.attempt() == unitOfWork.attemptNumber());
  }

  private RunOutcome outcome() {
    String answer = turn().flatMap(TurnRecord::answer).orElse("");
    if (hasCompleted()) {
      return completionCheck.outcome(answer);
    }
    Optional<TurnEnd> how = turn().flatMap(TurnRecord::how);
    String why =
        how.equals(Optional.of(TurnEnd.INTERRUPTED))
            ? "the turn was interrupted and nothing followed"
            : "the turn ended in an error: " + answer;
    return new RunOutcome(RunState.FAILED, why);
  }

  /**
   * Processes the output that the agent wrote before it died, because it may be evidence for a
   * steer. Requests that come meanwhile go back to the mailbox, and are answered from the ledger
   * after the attempt.
   */
  private void readLastOutput() throws InterruptedException {
    List<SupervisorMessage> later = new ArrayList<>();
    Instant deadline = unitOfWork.now().plus(LAST_OUTPUT_TIMEOUT);
    while (state.exited().isEmpty() && unitOfWork.now().isBefore(deadline)) {
      for (SupervisorMessage message :
          mailbox.take(Optional.of(Duration.between(unitOfWork.now(), deadline)))) {
        switch (message) {
          case SupervisorMessage.AgentOutput(int attempt, var batch) -> {
            if (attempt == unitOfWork.attemptNumber()) {
              eventHandler.handle(batch);
            }
          }
          case SupervisorMessage.SteerStored(Steer steer) -> unitOfWork.add(steer);
          case SupervisorMessage.SteerStoredElsewhere(SteerId steer) ->
              unitOfWork.addIfUnknown(steer);
          case SupervisorMessage.ChangeSteer _, SupervisorMessage.AnswerQuestion _ ->
              later.add(message);
          case SupervisorMessage.Stop(),
              SupervisorMessage.StopRequestedElsewhere(),
              SupervisorMessage.GiveWay _,
              SupervisorMessage.Detach(),
              SupervisorMessage.RenewLease(),
              SupervisorMessage.CommitFailed _ -> {}
        }
      }
    }
    commandHandler.settleWithdrawals();
    later.forEach(mailbox::put);
  }

  private void closeConversation(String evidence) {
    unitOfWork.openSteers().stream()
        .filter(Steer::inConversation)
        .forEach(s ->
            unitOfWork.change(
                s,
                new SteerChange.Answered(unitOfWork.attemptNumber(), unitOfWork.now(), evidence)));
  }

  /**
   * Looks up in the session record what the agent held. A run that ends does not need the task
   * check, so its opening message is not looked up.
   */
  private RecordedPassages recorded(Optional<TurnRecord> resumed) {
    return RecordedPassages.of(unitOfWork.run(), resumed, unitOfWork.inTransit(), sessionRecord);
  }

  /**
   * Settles the steers that the agent held and did not show. A steer that the session record has is
   * injected. A steer that the agent certainly does not have is pending again. Any other is lost
   * track of.
   */
  private void settleInTransit(RecordedPassages recorded) {
    int attempt = unitOfWork.attemptNumber();
    Instant now = unitOfWork.now();
    for (Steer steer : unitOfWork.inTransit()) {
      if (recorded.has(steer.id())) {
        String evidence = "in the record of the session, read after the agent died";
        unitOfWork.change(steer, new SteerChange.Injected(attempt, now, evidence));
      } else if (recorded.isReadable()) {
        String why = "the agent died and the record of its session does not have it";
        unitOfWork.change(steer, new SteerChange.Returned(attempt, now, why));
      } else if (state.can().has(Capability.IGNORES_REPEATED_ID)) {
        String why = "the agent died without having shown it";
        unitOfWork.change(steer, new SteerChange.Returned(attempt, now, why));
      } else {
        String why = "the agent died without having shown it, and left no record that can be read";
        unitOfWork.change(steer, new SteerChange.LostTrack(attempt, now, why));
      }
    }
  }

  /** Makes all steers pending again, because the next conversation begins with the task. */
  private void forgetConversation() {
    String why = "the session that had it was lost with the agent";
    for (Steer steer : unitOfWork.openSteers()) {
      if (steer.inConversation()) {
        unitOfWork.change(steer, new SteerChange.Forgotten(steer.holder(), unitOfWork.now(), why));
      } else if (steer.inTransit()) {
        unitOfWork.change(
            steer, new SteerChange.Returned(unitOfWork.attemptNumber(), unitOfWork.now(), why));
      }
    }
  }
}
