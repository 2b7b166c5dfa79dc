package dev.midcourse.engine.supervise;

import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.Lease;
import dev.midcourse.core.run.Limits;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.TurnPurpose;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.engine.attempt.AttemptContext;
import dev.midcourse.engine.attempt.AttemptState;
import dev.midcourse.engine.attempt.AttemptUnitOfWork;
import dev.midcourse.engine.attempt.AttemptUnitOfWork.FencedException;
import dev.midcourse.engine.attempt.SupervisorMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The event loop of one attempt, from the first output of the agent to the last. It processes the
 * messages of the mailbox, delivers steers as the plan says, and ends the run when nothing keeps it
 * open. One thread runs it; no other thread touches the parts of the attempt.
 */
final class AttemptLoop {
  /** How the loop ends. */
  enum LoopExit {
    /** The attempt is over and everything is durable. */
    FINISHED,
    /** The hub goes down; the agent keeps running. */
    DETACHED,
    /** A commit failed: the attempt has to be read from the ledger and attended anew. */
    RELOAD
  }

  private static final Duration RETRY_DELAY = Duration.ofMillis(100);
  private static final Duration MIN_WAIT = Duration.ofMillis(1);

  private final AttemptContext context;
  private final AttemptUnitOfWork unitOfWork;
  private final AttemptState state;
  private final CompletionCheck completionCheck;

  private final QuestionHandler questions;
  private final AgentEventHandler eventHandler;
  private final TurnOpener turnOpener;
  private final SteerCommandHandler commandHandler;
  private final SteerDelivery delivery;
  private final AttachRecovery recovery;
  private final UnsettledSteers unsettledSteers;
  private final StallMonitor stallMonitor;
  private final LimitGuard limitGuard;
  private final IdleMonitor idleMonitor;
  private final AttemptTermination termination;

  private boolean stopping;
  private Optional<Instant> retryAt = Optional.empty();

  /**
   * @param openAsks the questions of this attempt that have no answer yet
   * @param attached whether the agent was running before this loop
   * @param onIdle called when the agent has begun to wait for the next message
   */
  AttemptLoop(
      AttemptContext context,
      Collection<Ask> openAsks,
      CompletionCheck completionCheck,
      RecordedPassages.SessionRecord sessionRecord,
      boolean attached,
      Runnable onIdle) {
    this.context = context;
    this.unitOfWork = context.unitOfWork();
    this.state = context.state();
    this.completionCheck = completionCheck;
    this.questions = new QuestionHandler(context, openAsks);
    this.eventHandler = new AgentEventHandler(context, questions);
    this.turnOpener = new TurnOpener(context);
    this.commandHandler = new SteerCommandHandler(context);
    this.delivery = new SteerDelivery(context, turnOpener, commandHandler);
    this.unsettledSteers = new UnsettledSteers(context);
    this.stallMonitor = new StallMonitor(context, questions);
    this.limitGuard = new LimitGuard(context);
    this.termination =
        new AttemptTermination(
            context, eventHandler, commandHandler, completionCheck, sessionRecord);
    this.idleMonitor = new IdleMonitor(context, limitGuard, termination::noteTampering, onIdle);
    this.recovery = new AttachRecovery(context, turnOpener, attached);
    this.stopping = unitOfWork.run().stopAsked();
  }

  /**
   * Runs to the end of the attempt, and detaches from the agent. Commands without an answer go back
   * to the mailbox, for the next supervisor of this run.
   *
   * @throws FencedException if another attempt or host owns the run; the agent has been ended then,
   *     so that two agents never work on one run
   */
  LoopExit run() throws InterruptedException {
    try {
      return loop();
    } catch (FencedException fenced) {
      termination.endFenced();
      throw fenced;
    } finally {
      commandHandler.unanswered().forEach(context.mailbox()::put);
      context.agent().detach();
    }
  }

  private LoopExit loop() throws InterruptedException {
    while (true) {
      for (SupervisorMessage message : context.mailbox().take(untilWake())) {
        Optional<LoopExit> over = process(message);
        if (over.isPresent()) {
          return over.get();
        }
      }
      eventHandler.progress().recordDue(unitOfWork.now());
      if (act()) {
        return LoopExit.FINISHED;
      }
      long readTo = unitOfWork.attempt().offset();
      context.committer().commit(unitOfWork, () -> context.agent().keptTo(readTo));
    }
  }

  /** Takes one message in. Returns how the loop ends, if the message ends it. */
  private Optional<LoopExit> process(SupervisorMessage message) {
    switch (message) {
      case SupervisorMessage.AgentOutput(int attempt, var batch) -> {
        if (attempt == unitOfWork.attemptNumber()) {
          eventHandler.handle(batch);
        }
      }
      case SupervisorMessage.SteerStored(Steer steer) -> unitOfWork.add(steer);
      case SupervisorMessage.SteerStoredElsewhere(SteerId steer) -> unitOfWork.addIfUnknown(steer);
      case SupervisorMessage.ChangeSteer command -> commandHandler.add(command);
      case SupervisorMessage.AnswerQuestion reply -> questions.reply(reply);
      case SupervisorMessage.Stop() -> stopping = true;
      case SupervisorMessage.StopRequestedElsewhere() ->
          stopping = stopping || unitOfWork.isStopRequested();
      case SupervisorMessage.GiveWay(RunId queued) -> idleMonitor.giveWay(queued);
      case SupervisorMessage.RenewLease() -> renewLease();
      case SupervisorMessage.CommitFailed(RuntimeException why) -> {
        if (why instanceof FencedException) {
          throw why;
        }
        return Optional.of(LoopExit.RELOAD);
      }
      case SupervisorMessage.Detach() -> {
        eventHandler.progress().recordWaiting();
        unitOfWork.commit();
        return Optional.of(LoopExit.DETACHED);
      }
    }
    return Optional.empty();
  }

  /**
   * Does everything that the messages so far make possible. True when the attempt is over.
   *
   * <p>The order of the steps is part of the contract:
   *
   * <ol>
   *   <li>Answers of the agent to withdrawals. They come first, because a stop or an exit would
   *       otherwise give a steer that the agent has handed back the wrong end.
   *   <li>A stop. It comes before every step that writes to the agent.
   *   <li>The exit of the agent. No later step can write to an agent that is gone.
   *   <li>The recovery after an attach. Until it is done, the ledger does not show which steers the
   *       agent has, so nothing new may be written and no command may be answered.
   *   <li>Commands of authors. They come before the delivery, so that the agent never gets a text
   *       that its author has edited or withdrawn.
   *   <li>The opening message of the turn, if the input of the agent was full. Steers of the turn
   *       must not overtake it.
   *   <li>The first turn of the attempt.
   *   <li>The delivery of steers, as the plan says.
   *   <li>The end of the turn: steers that the agent still holds, the repair turn, the idle time,
   *       the end of the run. It comes after the delivery, because a delivery may have opened the
   *       next turn.
   *   <li>Limits, overdue interrupts and stalls. They come last, so that a run that is done in this
   *       pass ends as done.
   * </ol>
   */
  private boolean act() throws InterruptedException {
    commandHandler.settleWithdrawals();
    if (endIfStopped() || endIfExited()) {
      return true;
    }
    if (isReady() && isOpeningWritten()) {
      if (state.hasSettled() && turnOpener.isFirstTurnDue()) {
        delivery.openFirstTurn();
        return false;
      }
      deliverSteers();
      if (endIfSettled()) {
        return true;
      }
    }
    return endIfLimitedOrStalled();
  }

  private boolean endIfStopped() throws InterruptedException {
    if (stopping) {
      termination.stop();
    }
    return stopping;
  }

  private boolean endIfExited() throws InterruptedException {
    Optional<AgentEvent.Exited> exited = state.exited();
    if (exited.isPresent()) {
      termination.endLost(describe(exited.get()));
    }
    return exited.isPresent();
  }

  /** Whether the agent may be written to. Commands are carried out as soon as it is known. */
  private boolean isReady() {
    boolean recovered = recovery.advance();
    if (recovered) {
      commandHandler.handleAll();
    }
    return recovered && state.started();
  }

  /** Writes the opening message again if the input of the agent was full. */
  private boolean isOpeningWritten() {
    retryAt = Optional.empty();
    if (turnOpener.isUnwritten()) {
      turnOpener.write();
    }
    if (turnOpener.isUnwritten()) {
      retryAt = Optional.of(unitOfWork.now().plus(RETRY_DELAY));
    }
    return !turnOpener.isUnwritten();
  }

  private void deliverSteers() {
    if (!delivery.deliver()) {
      retryAt = Optional.of(unitOfWork.now().plus(RETRY_DELAY));
    }
  }

  /**
   * The turn has ended and no other was opened: waits for steers the agent holds, lingers, or ends.
   */
  private boolean endIfSettled() throws InterruptedException {
    if (!state.hasSettled()) {
      unsettledSteers.reset();
      return false;
    }
    if (!unsettledSteers.isEmpty()) {
      if (unsettledSteers.isOverdue()) {
        unsettledSteers.giveUp();
        retryAt = Optional.of(unitOfWork.now());
      }
      return false;
    }
    unsettledSteers.reset();
    Optional<String> repair = completionCheck.repair();
    if (repair.isPresent()) {
      turnOpener.openTurn(TurnPurpose.REPAIR, repair.get(), List.of(), List.of());
      return false;
    }
    return !idleMonitor.isWaiting() && termination.finish();
  }

  private boolean endIfLimitedOrStalled() throws InterruptedException {
    Optional<Limits.Reached> limit = limitGuard.reachedLimit();
    if (limit.isPresent()) {
      termination.endAtLimit(limit.get());
      return true;
    }
    Optional<String> stalled = stalled();
    if (stalled.isPresent()) {
      termination.endLost(stalled.get());
    }
    return stalled.isPresent();
  }

  private Optional<String> stalled() {
    if (delivery.isInterruptOverdue()) {
      return Optional.of("the agent did not interrupt its turn when asked to");
    }
    questions.denyOverdue();
    return stallMonitor.check();
  }

  private static String describe(AgentEvent.Exited exited) {
    String said = exited.lastOutput().isBlank() ? "" : ": " + exited.lastOutput().strip();
    String how = exited.code() < 0 ? "it was killed" : "exit status " + exited.code();
    if (exited.permanent()) {
      return "the agent could not be started" + (said.isEmpty() ? ": " + how : said);
    }
    return "the agent ended: " + how + said;
  }

  /** Renews the lease when half of its time is over. */
  private void renewLease() {
    Instant now = unitOfWork.now();
    Duration term = context.settings().lease();
    boolean due =
        unitOfWork
            .run()
            .lease()
            .map(lease -> lease.until().minus(term.dividedBy(2)))
            .filter(now::isBefore)
            .isEmpty();
    if (due) {
      Lease renewed = new Lease(context.settings().host(), now.plus(term));
      unitOfWork.change(new RunChange.LeaseKept(unitOfWork.attemptNumber(), renewed, now));
    }
  }

  /** A wait lets other virtual threads run, so each pass has one. */
  private Optional<Duration> untilWake() {
    return wakeAt()
        .map(at -> Duration.between(unitOfWork.now(), at).plusMillis(1))
        .map(wait -> wait.compareTo(MIN_WAIT) < 0 ? MIN_WAIT : wait);
  }

  /** When the next step is due although no message comes. */
  private Optional<Instant> wakeAt() {
    Stream<Instant> always =
        Stream.of(
                delivery.interruptDeadline(),
                limitGuard.endsAt(),
                stallMonitor.wakeAt(),
                eventHandler.progress().dueAt())
            .flatMap(Optional::stream);
    return Stream.of(questions.wakeAt(), recovery.wakeAt(), always, whenReady(), whenSettled())
        .flatMap(instants -> instants)
        .min(Instant::compareTo);
  }

  /**
   * The times of steps that are not taken before the agent may be written to. Until then they may
   * have passed long ago, and nothing is due.
   */
  private Stream<Instant> whenReady() {
    return recovery.isDone() && state.started()
        ? Stream.of(delivery.planChangesAt(), retryAt).flatMap(Optional::stream)
        : Stream.empty();
  }

  /** The times of steps that are taken only after a turn. */
  private Stream<Instant> whenSettled() {
    if (!recovery.isDone() || !state.started() || !state.hasSettled()) {
      return Stream.empty();
    }
    return unsettledSteers.isEmpty() ? idleMonitor.wakeAt().stream() : unsettledSteers.wakeAt();
  }
}
