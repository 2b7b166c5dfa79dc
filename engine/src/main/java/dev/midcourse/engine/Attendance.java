package dev.midcourse.engine;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Agent.Sent;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Lease;
import dev.midcourse.core.run.Limits;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.TurnPurpose;
import dev.midcourse.core.steer.Frame;
import dev.midcourse.core.steer.Mode;
import dev.midcourse.core.steer.Move;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerChange;
import dev.midcourse.core.steer.SteeringPlan;
import dev.midcourse.core.steer.Turn;
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
final class Attendance {
  /** How an attendance ends. */
  enum Over {
    /** The attempt is over and everything is kept. */
    DONE,
    /** The hub goes down; the agent stays. */
    LEFT,
    /** The ledger did not take something: read all anew and attend again. */
    AGAIN
  }

  private static final Duration CLOGGED_PAUSE = Duration.ofMillis(100);

  private final Desk desk;
  private final Hearing hearing;
  private final Agent agent;
  private final Slot slot;
  private final EngineSettings settings;
  private final Contract contract;
  private final Farewell farewell;

  private final Openings openings;
  private final Wishes wishes;
  private final Watchman watchman;
  private final Budget budget;

  private final Proof attached;
  private final HeldBack heldBack;
  private boolean catchingUp;

  /** What authors want of their steers, as long as nobody can tell what the agent has of them. */
  private final List<Letter.About> unconsidered = new ArrayList<>();

  private Optional<Instant> interruptBy = Optional.empty();
  private Optional<Instant> retryAt = Optional.empty();
  private boolean stopping;

  Attendance(
      Desk desk,
      Hearing hearing,
      Signs signs,
      Agent agent,
      Slot slot,
      EngineSettings settings,
      Contract contract,
      Recall recall,
      boolean found) {
    this.desk = desk;
    this.hearing = hearing;
    this.agent = agent;
    this.slot = slot;
    this.settings = settings;
    this.contract = contract;
    this.openings = new Openings(desk, hearing, signs, agent);
    this.wishes = new Wishes(desk, hearing, agent, slot);
    this.farewell = new Farewell(desk, hearing, wishes, agent, slot, settings, contract, recall);
    this.watchman = new Watchman(desk, hearing, signs, agent, settings);
    this.budget = new Budget(desk, settings);
    this.stopping = desk.run().stopAsked();
    this.heldBack = new HeldBack(desk, hearing, agent, settings);
    this.attached = new Proof("attach", desk, hearing, agent);
    if (found && hearing.started()) {
      attached.ask();
    }
    this.catchingUp = attached.asked();
  }

  /** Who still waits for an answer is given one by whoever has the steer afterwards. */
  Over attend() throws InterruptedException {
    try {
      return attendToTheEnd();
    } finally {
      wishes.unanswered().forEach(slot::put);
      unconsidered.forEach(slot::put);
    }
  }

  private Over attendToTheEnd() throws InterruptedException {
    while (true) {
      for (Letter letter : slot.take(untilWake())) {
        switch (letter) {
          case Letter.FromAgent(int attempt, var heard) -> {
            if (attempt == desk.number()) {
              hearing.hear(heard);
            }
          }
          case Letter.Stored(Steer steer) -> desk.take(steer);
          case Letter.SteerTold(SteerId steer) -> desk.takeIfUnknown(steer);
          case Letter.About about -> unconsidered.add(about);
          case Letter.Reply reply -> watchman.reply(reply, slot);
          case Letter.Stop() -> stopping = true;
          case Letter.StopTold() -> stopping = stopping || desk.stopIsAskedFor();
          case Letter.Look() -> keepLease();
          case Letter.NotKept(RuntimeException why) -> {
            if (why instanceof Fenced) {
              throw why;
            }
            return Over.AGAIN;
          }
          case Letter.Leave() -> {
            desk.handInAndWait();
            return Over.LEFT;
          }
        }
      }
      hearing.progress().keepWhatIsDue(desk.now());
      if (act()) {
        return Over.DONE;
      }
      long heardTo = desk.attempt().offset();
      slot.handIn(desk, () -> agent.keptTo(heardTo));
    }
  }

  /**
   * After an attach, not before everything the agent knows was heard and what it may lack was
   * written again: a steer that waits in the ledger may be with the agent all the same, if the hub
   * before this one wrote it and died.
   */
  private void considerWishes() {
    while (!unconsidered.isEmpty()) {
      wishes.consider(unconsidered.getFirst());
      unconsidered.removeFirst();
    }
  }

  /** Does what is to be done now; true when the attempt is over. */
  private boolean act() throws InterruptedException {
    wishes.settle();
    if (stopping) {
      farewell.stopped();
      return true;
    }
    if (hearing.exited().isPresent()) {
      farewell.lost(words(hearing.exited().get()));
      return true;
    }
    boolean behind = stillCatchingUp();
    if (!behind) {
      considerWishes();
    }
    if (behind || !hearing.started()) {
      return watchedOver();
    }
    retryAt = Optional.empty();
    if (openings.unwritten()) {
      openings.write();
    }
    if (openings.unwritten()) {
      retryAt = Optional.of(desk.now().plus(CLOGGED_PAUSE));
      return watchedOver();
    }
    if (hearing.turn() instanceof Turn.Settled && openings.firstIsDue()) {
      openFirstTurn();
      return false;
    }
    makeMoves();
    if (!(hearing.turn() instanceof Turn.Settled)) {
      heldBack.notWaitedFor();
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
    List<Steer> now = desk.openSteers().stream().filter(s -> s.mode() != Mode.FOLLOW_UP).toList();
    boolean opened = false;
    for (Move move : plan(now).moves()) {
      if (move instanceof Move.OpenTurn(List<Steer> guidance, List<Steer> steers)) {
        openings.openFirst(guidance, steers);
        opened = true;
      } else {
        make(move);
      }
    }
    if (!opened) {
      openings.openFirst(
          now.stream().filter(s -> s.pending() && s.mode() == Mode.NEXT).toList(), List.of());
    }
  }

  private SteeringPlan plan() {
    return plan(desk.openSteers());
  }

  private SteeringPlan plan(List<Steer> steers) {
    return new SteeringPlan(
        steers, hearing.turn(), hearing.can(), desk.run().spec().pending(), desk.now());
  }

  /** Where one could not be made, those after it must not overtake it. */
  private void makeMoves() {
    for (Move move : plan().moves()) {
      if (!make(move)) {
        retryAt = Optional.of(desk.now().plus(CLOGGED_PAUSE));
        return;
      }
    }
  }

  /** False when the agent did not read. */
  private boolean make(Move move) {
    Instant now = desk.now();
    switch (move) {
      case Move.Offer(Steer steer) -> {
        return offer(steer);
      }
      case Move.Interrupt(Steer cause) -> {
        return interrupt(cause);
      }
      case Move.OpenTurn(var guidance, var steers) ->
          openings.openTurn(TurnPurpose.STEERS, "", guidance, steers);
      case Move.Supersede(Steer older, Steer newer) -> {
        desk.change(older, new SteerChange.Superseded(newer.id(), now));
        desk.handInAndWait(); // or a crash could bring it back behind the newer one
      }
      case Move.TakeBack(Steer older, Steer newer) -> wishes.takeBack(older, newer);
      case Move.Expire(Steer steer, String reason) ->
          desk.change(steer, new SteerChange.Expired(now, reason));
    }
    return true;
  }

  private boolean interrupt(Steer cause) {
    if (agent.interrupt() != Sent.WRITTEN) {
      return false;
    }
    Instant now = desk.now();
    int turn = desk.run().turn();
    desk.change(cause, new SteerChange.TurnBrokenOff(desk.number(), now));
    desk.note(new RunEvent.Interrupting(desk.number(), turn, Optional.of(cause.id())));
    hearing.turn(new Turn.Interrupting(turn));
    interruptBy = Optional.of(now.plus(settings.settle()));
    return true;
  }

  private boolean offer(Steer steer) {
    int attempt = desk.number();
    if (!hearing.can().has(Capability.ACCEPTED_EVIDENCE)
        || !hearing.can().has(Capability.BARRIER)) {
      // After a crash nobody could tell whether the agent has it: keep first that it may, so that
      // the steer is unknown then rather than sent twice.
      desk.change(steer, new SteerChange.Handed(attempt, steer.mode(), desk.now()));
      desk.handInAndWait();
    }
    Sent sent = agent.steer(steer.id(), Frame.of(steer, steer.mode()));
    Instant now = desk.now();
    switch (sent) {
      case WRITTEN ->
          desk.change(
              steer,
              new SteerChange.Offered(attempt, steer.mode(), now, "written to the agent's input"));
      case UNSUPPORTED ->
          desk.change(
              steer, new SteerChange.Refused(attempt, now, "the agent takes no steers in a turn"));
      case CLOGGED, GONE ->
          desk.change(steer, new SteerChange.Returned(attempt, now, "the agent does not read"));
    }
    return sent == Sent.WRITTEN || sent == Sent.UNSUPPORTED;
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
    openings.writeAgainIfNotTaken();
    for (Steer steer : desk.openSteers()) {
      if (steer.inTransit()
          && hearing.can().has(Capability.IGNORES_REPEATED_ID)
          && !openings.has(steer)
          && agent.steer(steer.id(), Frame.of(steer, steer.mode())) == Sent.CLOGGED) {
        retryAt = Optional.of(desk.now().plus(CLOGGED_PAUSE));
        return false;
      }
    }
    return true;
  }

  /** The turn is over and nothing opened the next: waits for what the agent holds, or ends. */
  private boolean settled() throws InterruptedException {
    if (heldBack.something()) {
      if (heldBack.hopeless()) {
        heldBack.giveUp();
        retryAt = Optional.of(desk.now());
      }
      return false;
    }
    heldBack.notWaitedFor();
    Optional<String> repair = contract.repair();
    if (repair.isPresent()) {
      openings.openTurn(TurnPurpose.REPAIR, repair.get(), List.of(), List.of());
      return false;
    }
    return farewell.finished();
  }

  private void keepLease() {
    Instant now = desk.now();
    boolean due =
        desk.run()
            .lease()
            .map(l -> l.until().minus(settings.lease().dividedBy(2)))
            .filter(now::isBefore)
            .isEmpty();
    if (due) {
      desk.change(
          new RunChange.LeaseKept(
              desk.number(), new Lease(settings.host(), now.plus(settings.lease())), now));
    }
  }

  /** Limits, broken interrupts and silence; true when the attempt is over. */
  private boolean watchedOver() throws InterruptedException {
    Optional<Limits.Reached> limit = budget.reached();
    if (limit.isPresent()) {
      farewell.limited(limit.get());
      return true;
    }
    if (interruptBy.isPresent() && !(hearing.turn() instanceof Turn.Interrupting)) {
      interruptBy = Optional.empty();
    }
    boolean deaf = interruptBy.isPresent() && !desk.now().isBefore(interruptBy.get());
    Optional<String> why =
        deaf
            ? Optional.of("the agent did not break its turn off when it was told to")
            : watchman.look();
    if (why.isEmpty()) {
      return false;
    }
    farewell.lost(why.get());
    return true;
  }

  private Optional<Duration> untilWake() {
    return wakeAt().map(at -> Duration.between(desk.now(), at).plusMillis(1));
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
                hearing.progress().dueAt())
            .flatMap(Optional::stream);
    return Stream.of(watchman.wakeAt(), heldBack.wakeAt(), ours)
        .flatMap(instants -> instants)
        .min(Instant::compareTo);
  }
}
