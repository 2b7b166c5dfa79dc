package dev.midcourse.engine;

import dev.midcourse.agents.Agent;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerChange;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What an agent still holds when its turn has ended. It opens the next turn with it or gives it
 * back, and has some time to do so; but an agent that is only slow must not be taken for one that
 * does neither, since what is written to it then would overtake what it holds.
 */
final class HeldBack {
  private final Desk desk;
  private final Hearing hearing;
  private final EngineSettings settings;
  private final Proof proof;
  private Optional<Instant> until = Optional.empty();

  HeldBack(Desk desk, Hearing hearing, Agent agent, EngineSettings settings) {
    this.desk = desk;
    this.hearing = hearing;
    this.settings = settings;
    this.proof = new Proof("settle", desk, hearing, agent);
  }

  boolean something() {
    return !desk.inTransit().isEmpty();
  }

  /** The agent is at work, or holds nothing: when it next settles it has all its time again. */
  void notWaitedFor() {
    until = Optional.empty();
    proof.forget();
  }

  /** Whether it is of no use to wait any longer. */
  boolean hopeless() {
    if (nothingMoreIsSaid()) {
      return true;
    }
    if (until.isEmpty()) {
      until = Optional.of(desk.now().plus(settings.settle()));
    }
    return !desk.now().isBefore(until.get()) && allIsHeard();
  }

  /** It is ours again, unless the agent might then have it twice. */
  void giveUp() {
    notWaitedFor();
    boolean safe = hearing.can().has(Capability.IGNORES_REPEATED_ID);
    Instant now = desk.now();
    for (Steer steer : desk.inTransit()) {
      String why = "the agent kept it past the end of its turn without showing it";
      desk.change(
          steer,
          safe
              ? new SteerChange.Returned(desk.number(), now, why)
              : new SteerChange.LostTrack(desk.number(), now, why));
    }
  }

  /** When to look again although nothing happened. */
  Stream<Instant> wakeAt() {
    return proof.asked() ? proof.askAgainAt().stream() : until.stream();
  }

  /** Of what it has accepted this agent will never say that it took it in. */
  private boolean nothingMoreIsSaid() {
    return !hearing.can().has(Capability.INJECTED_EVIDENCE)
        && desk.inTransit().stream().allMatch(steer -> steer.reached(Rung.ACCEPTED));
  }

  /** An agent that cannot prove it has had its time. */
  private boolean allIsHeard() {
    if (!proof.asked()) {
      proof.ask();
    }
    return !proof.outstanding();
  }
}
