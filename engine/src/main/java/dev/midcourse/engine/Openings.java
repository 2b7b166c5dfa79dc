package dev.midcourse.engine;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Agent.Sent;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Frame;
import dev.midcourse.core.steer.Mode;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerChange;
import dev.midcourse.core.steer.Turn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The openings of turns. A turn's opening message is in the ledger before it is written to the
 * agent, so that a hub that dies in between leaves enough to make it good, once.
 */
final class Openings {
  private static final String GO_ON =
      "Your process ended before the task was done and was started again in the same session."
          + " Go on with the task where you left off.";

  private final Desk desk;
  private final Hearing hearing;
  private final Signs signs;
  private final Agent agent;

  Openings(Desk desk, Hearing hearing, Signs signs, Agent agent) {
    this.desk = desk;
    this.hearing = hearing;
    this.signs = signs;
    this.agent = agent;
  }

  boolean neverOpened() {
    return desk.turn().filter(record -> record.attempt() == desk.number()).isEmpty();
  }

  void openFirstTurn() {
    List<Steer> pending = desk.openSteers().stream().filter(Steer::pending).toList();
    List<Steer> joining = pending.stream().filter(Openings::joinsTheOpening).toList();
    List<Steer> guidance = pending.stream().filter(s -> s.mode() == Mode.NEXT).toList();
    openTurn(firstWords(), guidance, joining);
  }

  /** The task itself, unless the session already has it. */
  private String firstWords() {
    if (desk.run().promptDue() || !desk.attempt().resumes()) {
      return desk.run().spec().prompt();
    }
    boolean brokenOff = desk.turn().filter(record -> record.endedAt().isEmpty()).isPresent();
    return brokenOff ? GO_ON : "";
  }

  private static boolean joinsTheOpening(Steer steer) {
    return switch (steer.mode()) {
      case STEER, INTERRUPT -> true;
      case FOLLOW_UP, NEXT, STOP -> false;
    };
  }

  /** Durable first, then written: a hub that dies in between finds the message in the ledger. */
  void openTurn(String prompt, List<Steer> guidance, List<Steer> steers) {
    Instant now = desk.now();
    desk.change(new RunChange.TurnOpened(desk.number(), now));
    int number = desk.run().turn();
    String message = Frame.opening(guidance, prompt, steers);
    desk.change(TurnRecord.opened(desk.run().id(), number, desk.number(), message, now));
    List<Steer> all = new ArrayList<>(guidance);
    all.addAll(steers);
    for (Steer steer : all) {
      Mode as = steer.mode() == Mode.STEER && number > 1 ? Mode.FOLLOW_UP : steer.mode();
      desk.change(steer, new SteerChange.OpenedTurn(desk.number(), number, as, now));
    }
    desk.handInAndWait();
    hearing.turn(new Turn.Opening(number));
    signs.restart(now);
    writeOpening(number, message);
  }

  private void writeOpening(int number, String message) {
    if (agent.prompt(number, message) != Sent.WRITTEN) {
      return;
    }
    String evidence = "written as the opening of turn " + number;
    for (Steer steer : desk.openSteers()) {
      if (steer.holder() == desk.number() && message.contains(steer.id().value())) {
        Mode as = steer.deliveredMode().orElse(steer.mode());
        desk.change(steer, new SteerChange.Offered(desk.number(), as, desk.now(), evidence));
      }
    }
  }

  /** After an attach: the agent has read everything and does not have the message. */
  void writeAgainIfNotTaken() {
    if (hearing.turn() instanceof Turn.Opening(int number)) {
      desk.turn()
          .filter(record -> record.number() == number && !record.taken())
          .ifPresent(record -> writeOpening(number, record.message()));
    }
  }

  boolean has(Steer steer) {
    return desk.turn().filter(r -> r.message().contains(steer.id().value())).isPresent();
  }
}
