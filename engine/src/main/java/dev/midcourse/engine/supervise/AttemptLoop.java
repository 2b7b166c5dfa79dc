package dev.midcourse.engine.supervise;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Agent.WriteResult;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Lease;
import dev.midcourse.core.run.Limits;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.TurnPurpose;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerAction;
import dev.midcourse.core.steer.SteerChange;
import dev.midcourse.core.steer.SteerFrame;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteeringPlan;
import dev.midcourse.core.steer.TurnState;
import dev.midcourse.engine.SessionRecordReader;
import dev.midcourse.engine.context.EngineSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Attends one agent from its first word to its last: hears it, brings it the steers as the plan
 * says, watches over its silence, and sees that the run ends when nothing keeps it open. One thread
 * at a time; everything that happens comes through the slot.
 */
final class AttemptLoop {
  /** How an attendance ends. */
  enum LoopExit {
    /** The attempt is over and everything is kept. */
    FINISHED,
    /** The hub goes down; the agent stays. */
    DETACHED,
    /** The ledger did not take something: read all anew and attend again. */
    RELOAD
  }

  private static final Duration CLOGGED_PAUSE = Duration.ofMillis(100);

  private final AttemptUnitOfWork unitOfWork;
  private final AgentEventHandler eventHandler;
  private final Agent agent;
  private final SupervisorMailbox mailbox;
  private final EngineSettings settings;
  private final CompletionCheck contract;
  private final AttemptTermination termination;

  private final TurnOpener turnOpener;
  private final SteerCommandHandler commandHandler;
  private final StallMonitor stallMonitor;
  private final LimitGuard budget;

  private final ReadBarrier attached;
  private final UnsettledSteers unsettledSteers;
  private boolean catchingUp;

  /** What authors want of their steers, as long as nobody can tell what the agent has of them. */
  private final List<SupervisorMessage.ChangeSteer> unconsidered = new ArrayList<>();

  private Optional<Instant> interruptBy = Optional.empty();
  private Optional<Instant> retryAt = Optional.empty();
  private boolean stopping;

  AttemptLoop(
      AttemptUnitOfWork unitOfWork,
      AgentEventHandler eventHandler,
      ActivityTracker signs,
      Agent agent,
      SupervisorMailbox mailbox,
      EngineSettings settings,
      CompletionCheck contract,
      SessionRecordReader recall,
      boolean found) {
    this.unitOfWork = unitOfWork;
    this.eventHandler = eventHandler;
    this.agent = agent;
    this.mailbox = mailbox;
    this.settings = settings;
    this.contract = contract;
    this.turnOpener = new TurnOpener(unitOfWork, eventHandler, signs, agent);
    this.commandHandler = new SteerCommandHandler(unitOfWork, eventHandler, agent, mailbox);
    this.termination =
        new AttemptTermination(
            unitOfWork, eventHandler, commandHandler, agent, mailbox, settings, contract, recall);
    this.stallMonitor = new StallMonitor(unitOfWork, eventHandler, signs, agent, settings);
    this.budget = new LimitGuard(unitOfWork, settings);
    this.stopping = unitOfWork.run().stopAsked();
    this.unsettledSteers = new UnsettledSteers(unitOfWork, eventHandler, agent, settings);
    this.attached = new ReadBarrier("attach", unitOfWork, eventHandler, agent);
    if (found && eventHandler.started()) {
      attached.ask();
    }
    this.catchingUp = attached.asked();
  }

  /** Who still waits for an answer is given one by whoever has the steer afterwards. */
  LoopExit attend() throws InterruptedException {
    try {
      return attendToTheEnd();
    } finally {
      commandHandler.unanswered().forEach(mailbox::put);
      unconsidered.forEach(mailbox::put);
    }
  }

  private LoopExit attendToTheEnd() throws InterruptedException {
    while (true) {
      for (SupervisorMessage message : mailbox.take(untilWake())) {
        switch (message) {
          case SupervisorMessage.AgentOutput(int attempt, var batch) -> {
            if (attempt == unitOfWork.attemptNumber()) {
              eventHandler.hear(batch);
            }
          }
          case SupervisorMessage.SteerStored(Steer steer) -> unitOfWork.add(steer);
          case SupervisorMessage.SteerStoredElsewhere(SteerId steer) ->
              unitOfWork.takeIfUnknown(steer);
          case SupervisorMessage.ChangeSteer about -> unconsidered.add(about);
          case SupervisorMessage.Reply reply -> stallMonitor.reply(reply, mailbox);
          case SupervisorMessage.Stop() -> stopping = true;
          case SupervisorMessage.StopRequestedElsewhere() ->
              stopping = stopping || unitOfWork.stopIsAskedFor();
          case SupervisorMessage.RenewLease() -> keepLease();
          case SupervisorMessage.CommitFailed(RuntimeException why) -> {
            if (why instanceof FencedException) {
              throw why;
            }
            return LoopExit.RELOAD;
          }
          case SupervisorMessage.Detach() -> {
            unitOfWork.commit();
            return LoopExit.DETACHED;
          }
        }
      }
      eventHandler.progress().keepWhatIsDue(unitOfWork.now());
      if (act()) {
        return LoopExit.FINISHED;
      }
      long heardTo = unitOfWork.attempt().offset();
      mailbox.handIn(unitOfWork, () -> agent.keptTo(heardTo));
    }
  }

  /**
   * After an attach, not before everything the agent knows was heard and what it may lack was
   * written again: a steer that waits in the ledger may be with the agent all the same, if the hub
   * before this one wrote it and died.
   */
  private void considerWishes() {
    while (!unconsidered.isEmpty()) {
      commandHandler.consider(unconsidered.getFirst());
      unconsidered.removeFirst();
    }
  }

  /** Does what is to be done now; true when the attempt is over. */
  private boolean act() throws InterruptedException {
    commandHandler.settle();
    if (stopping) {
      termination.stopped();
      return true;
    }
    if (eventHandler.exited().isPresent()) {
      termination.lost(words(eventHandler.exited().get()));
      return true;
    }
    boolean behind = stillCatchingUp();
    if (!behind) {
      considerWishes();
    }
    if (behind || !eventHandler.started()) {
      return watchedOver();
    }
    retryAt = Optional.empty();
    if (turnOpener.unwritten()) {
      turnOpener.write();
    }
    if (turnOpener.unwritten()) {
      retryAt = Optional.of(unitOfWork.now().plus(CLOGGED_PAUSE));
      return watchedOver();
    }
    if (eventHandler.turn() instanceof TurnState.Settled && turnOpener.firstIsDue()) {
      openFirstTurn();
      return false;
    }
    makeMoves();
    if (!(eventHandler.turn() instanceof TurnState.Settled)) {
      unsettledSteers.notWaitedFor();
    } else if (settled()) {
      return true;
    }
    return watchedOver();
  }

  private static String words(AgentEvent.Exited exited) {
    String said = exited.lastWords().isBlank() ? "" : ": " + exited.lastWords().strip();
    if (exited.untilMended()) {
      return "the agent cannot be started" + said;
    }
    String how = exited.code() < 0 ? "it was killed" : "exit status " + exited.code();
    return "the agent ended: " + how + said;
  }

  /** The task and what was said about it before it began; a follow-up waits until it is done. */
  private void openFirstTurn() {
    List<Steer> now =
        unitOfWork.openSteers().stream().filter(s -> s.mode() != SteerMode.FOLLOW_UP).toList();
    boolean opened = false;
    for (SteerAction move : plan(now).moves()) {
      if (move instanceof SteerAction.OpenTurn(List<Steer> guidance, List<Steer> steers)) {
        turnOpener.openFirst(guidance, steers);
        opened = true;
      } else {
        make(move);
      }
    }
    if (!opened) {
      turnOpener.openFirst(
          now.stream().filter(s -> s.pending() && s.mode() == SteerMode.NEXT).toList(), List.of());
    }
  }

  private SteeringPlan plan() {
    return plan(unitOfWork.openSteers());
  }

  private SteeringPlan plan(List<Steer> steers) {
    return new SteeringPlan(
        steers,
        eventHandler.turn(),
        eventHandler.can(),
        unitOfWork.run().spec().pending(),
        unitOfWork.now());
  }

  /** Where one could not be made, those after it must not overtake it. */
  private void makeMoves() {
    for (SteerAction move : plan().moves()) {
      if (!make(move)) {
        retryAt = Optional.of(unitOfWork.now().plus(CLOGGED_PAUSE));
        return;
      }
    }
  }

  /** False when the agent did not read. */
  private boolean make(SteerAction move) {
    Instant now = unitOfWork.now();
    switch (move) {
      case SteerAction.Offer(Steer steer) -> {
        return offer(steer);
      }
      case SteerAction.Interrupt(Steer cause) -> {
        return interrupt(cause);
      }
      case SteerAction.OpenTurn(var guidance, var steers) ->
          turnOpener.openTurn(TurnPurpose.STEERS, "", guidance, steers);
      case SteerAction.Supersede(Steer older, Steer newer) -> {
        unitOfWork.change(older, new SteerChange.Superseded(newer.id(), now));
        unitOfWork.commit(); // or a crash could bring it back behind the newer one
      }
      case SteerAction.TakeBack(Steer older, Steer newer) -> commandHandler.takeBack(older, newer);
      case SteerAction.Expire(Steer steer, String reason) ->
          unitOfWork.change(steer, new SteerChange.Expired(now, reason));
    }
    return true;
  }

  private boolean interrupt(Steer cause) {
    if (agent.interrupt() != WriteResult.WRITTEN) {
      return false;
    }
    Instant now = unitOfWork.now();
    int turn = unitOfWork.run().turn();
    unitOfWork.change(cause, new SteerChange.TurnBrokenOff(unitOfWork.attemptNumber(), now));
    unitOfWork.append(
        new RunEvent.Interrupting(unitOfWork.attemptNumber(), turn, Optional.of(cause.id())));
    eventHandler.turn(new TurnState.Interrupting(turn));
    interruptBy = Optional.of(now.plus(settings.settle()));
    return true;
  }

  private boolean offer(Steer steer) {
    int attempt = unitOfWork.attemptNumber();
    if (!eventHandler.can().has(Capability.ACCEPTED_EVIDENCE)
        || !eventHandler.can().has(Capability.BARRIER)) {
      // After a crash nobody could tell whether the agent has it: keep first that it may, so that
      // the steer is unknown then rather than sent twice.
      unitOfWork.change(steer, new SteerChange.Handed(attempt, steer.mode(), unitOfWork.now()));
      unitOfWork.commit();
    }
    WriteResult sent = agent.steer(steer.id(), SteerFrame.of(steer, steer.mode()));
    Instant now = unitOfWork.now();
    switch (sent) {
      case WRITTEN ->
          unitOfWork.change(
              steer,
              new SteerChange.Offered(attempt, steer.mode(), now, "written to the agent's input"));
      case UNSUPPORTED ->
          unitOfWork.change(
              steer, new SteerChange.Refused(attempt, now, "the agent takes no steers in a turn"));
      case INPUT_FULL, EXITED ->
          unitOfWork.change(
              steer, new SteerChange.Returned(attempt, now, "the agent does not read"));
    }
    return sent == WriteResult.WRITTEN || sent == WriteResult.UNSUPPORTED;
  }

  /** After an attach: waits for the proof that everything written before was read. */
  private boolean stillCatchingUp() {
    if (catchingUp && !attached.outstanding()) {
      catchingUp = !wroteAgain();
    }
    return catchingUp;
  }

  /** What the agent may lack; false when it did not read all of it. */
  private boolean wroteAgain() {
    turnOpener.writeAgainIfNotTaken();
    for (Steer steer : unitOfWork.openSteers()) {
      if (steer.inTransit()
          && eventHandler.can().has(Capability.IGNORES_REPEATED_ID)
          && !turnOpener.has(steer)
          && agent.steer(steer.id(), SteerFrame.of(steer, steer.mode()))
              == WriteResult.INPUT_FULL) {
        retryAt = Optional.of(unitOfWork.now().plus(CLOGGED_PAUSE));
        return false;
      }
    }
    return true;
  }

  /** The turn is over and nothing opened the next: waits for what the agent holds, or ends. */
  private boolean settled() throws InterruptedException {
    if (unsettledSteers.something()) {
      if (unsettledSteers.hopeless()) {
        unsettledSteers.giveUp();
        retryAt = Optional.of(unitOfWork.now());
      }
      return false;
    }
    unsettledSteers.notWaitedFor();
    Optional<String> repair = contract.repair();
    if (repair.isPresent()) {
      turnOpener.openTurn(TurnPurpose.REPAIR, repair.get(), List.of(), List.of());
      return false;
    }
    return termination.finished();
  }

  private void keepLease() {
    Instant now = unitOfWork.now();
    boolean due =
        unitOfWork
            .run()
            .lease()
            .map(l -> l.until().minus(settings.lease().dividedBy(2)))
            .filter(now::isBefore)
            .isEmpty();
    if (due) {
      unitOfWork.change(
          new RunChange.LeaseKept(
              unitOfWork.attemptNumber(),
              new Lease(settings.host(), now.plus(settings.lease())),
              now));
    }
  }

  /** Limits, broken interrupts and silence; true when the attempt is over. */
  private boolean watchedOver() throws InterruptedException {
    Optional<Limits.Reached> limit = budget.reached();
    if (limit.isPresent()) {
      termination.limited(limit.get());
      return true;
    }
    if (interruptBy.isPresent() && !(eventHandler.turn() instanceof TurnState.Interrupting)) {
      interruptBy = Optional.empty();
    }
    boolean deaf = interruptBy.isPresent() && !unitOfWork.now().isBefore(interruptBy.get());
    Optional<String> why =
        deaf
            ? Optional.of("the agent did not break its turn off when it was told to")
            : stallMonitor.look();
    if (why.isEmpty()) {
      return false;
    }
    termination.lost(why.get());
    return true;
  }

  private Optional<Duration> untilWake() {
    return wakeAt().map(at -> Duration.between(unitOfWork.now(), at).plusMillis(1));
  }

  /** When to look again although nothing happened. */
  private Optional<Instant> wakeAt() {
    Stream<Instant> ours =
        Stream.of(
                plan().lookAgainAt(),
                interruptBy,
                attached.askAgainAt(),
                retryAt,
                budget.endsAt(),
                eventHandler.progress().dueAt())
            .flatMap(Optional::stream);
    return Stream.of(stallMonitor.wakeAt(), unsettledSteers.wakeAt(), ours)
        .flatMap(instants -> instants)
        .min(Instant::compareTo);
  }
}
