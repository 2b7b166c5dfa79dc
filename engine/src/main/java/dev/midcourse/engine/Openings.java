package dev.midcourse.engine;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Agent.Sent;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.TurnPurpose;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Frame;
import dev.midcourse.core.steer.Mode;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerChange;
import dev.midcourse.core.steer.Turn;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The openings of turns. A turn's opening message is in the ledger before it is written to the
 * agent, so that a hub that dies in between leaves enough to make it good, once.
 */
final class Openings {
  private static final String CONTINUE =
      "Your process ended before the task was done and was started again in the same session."
          + " Go on with the task where you left off.";

  /** The first turn of an attempt. */
  private record First(TurnPurpose purpose, String prompt) {}

  private final Desk desk;
  private final Hearing hearing;
  private final Signs signs;
  private final Agent agent;
  private boolean unwritten;

  Openings(Desk desk, Hearing hearing, Signs signs, Agent agent) {
    this.desk = desk;
    this.hearing = hearing;
    this.signs = signs;
    this.agent = agent;
  }

  /** Whether this attempt has the task still to be given, or to be told to go on with it. */
  boolean firstIsDue() {
    boolean none = desk.turn().filter(record -> record.attempt() == desk.number()).isEmpty();
    return none && first().isPresent();
  }

  void openFirst(List<Steer> guidance, List<Steer> steers) {
    First first = first().orElseThrow();
    openTurn(first.purpose(), first.prompt(), guidance, steers);
  }

  /** The task itself, unless the session already has it. */
  private Optional<First> first() {
    if (desk.run().promptDue() || !desk.attempt().resumes()) {
      return Optional.of(new First(TurnPurpose.TASK, desk.run().spec().prompt()));
    }
    return desk.turn()
        .filter(record -> record.endedAt().isEmpty())
        .map(_ -> new First(TurnPurpose.CONTINUE, CONTINUE));
  }

  /** Durable first, then written: a hub that dies in between finds the message in the ledger. */
  void openTurn(TurnPurpose purpose, String prompt, List<Steer> guidance, List<Steer> steers) {
    Instant now = desk.now();
    desk.change(new RunChange.TurnOpened(desk.number(), now));
    int number = desk.run().turn();
    String message = Frame.opening(guidance, prompt, steers);
    List<Steer> all = Stream.concat(guidance.stream(), steers.stream()).toList();
    List<SteerId> ids = all.stream().map(Steer::id).toList();
    desk.change(
        TurnRecord.opened(desk.run().id(), number, desk.number(), purpose, message, ids, now));
    for (Steer steer : all) {
      Mode as = steer.mode() == Mode.STEER && number > 1 ? Mode.FOLLOW_UP : steer.mode();
      desk.change(steer, new SteerChange.OpenedTurn(desk.number(), number, as, now));
    }
    desk.handInAndWait();
    hearing.turn(new Turn.Opening(number));
    signs.restart(now);
    write();
  }

  /** Writes the opening that the ledger has; again where the agent did not read the first time. */
  void write() {
    TurnRecord record = desk.turn().orElseThrow();
    unwritten = agent.prompt(record.number(), record.message()) == Sent.CLOGGED;
    if (unwritten) {
      return;
    }
    String evidence = "written as the opening of turn " + record.number();
    for (SteerId id : record.steers()) {
      desk.steer(id)
          .ifPresent(steer ->
              desk.change(
                  steer,
                  new SteerChange.Offered(
                      desk.number(),
                      steer.deliveredMode().orElse(steer.mode()),
                      desk.now(),
                      evidence)));
    }
  }

  /** The agent did not read when the opening was to be written. */
  boolean unwritten() {
    return unwritten;
  }

  /** After an attach: the agent has read everything and does not have the message. */
  void writeAgainIfNotTaken() {
    boolean opening = hearing.turn() instanceof Turn.Opening;
    if (opening && desk.turn().filter(record -> !record.taken()).isPresent()) {
      write();
    }
  }

  boolean has(Steer steer) {
    return desk.turn().filter(record -> record.steers().contains(steer.id())).isPresent();
  }
}
