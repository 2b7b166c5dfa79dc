package dev.midcourse.engine;

import dev.midcourse.agents.Heard;
import dev.midcourse.core.Wire;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.Need;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.TurnPurpose;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerChange;
import dev.midcourse.core.steer.Turn;
import dev.midcourse.core.watch.Progress;
import dev.midcourse.core.watch.ProgressGate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Turns what an agent says into changes of its run and its steers. Decides nothing: what to do
 * about it is the {@link Attendance}'s.
 */
final class Hearing {
  private static final int LONGEST_TEXT = 64 * 1024;

  private final Desk desk;
  private final Signs signs;
  private final ProgressRow progress;
  private final Spoken spoken;
  private final Map<String, Ask> asks = new HashMap<>();
  private final List<AgentEvent.SteerGivenBack> givenBack = new ArrayList<>();

  private Turn turn;
  private Capabilities can;
  private boolean started;
  private Optional<AgentEvent.Exited> exited = Optional.empty();
  private Optional<String> barrier = Optional.empty();
  private String lastSaid = "";

  /** As the agent itself calls what it does; blank where it does not. */
  private String phase = "";

  Hearing(Desk desk, Signs signs, ProgressGate gate, Turn turn, Capabilities can, boolean started) {
    this.desk = desk;
    this.signs = signs;
    this.progress = new ProgressRow(desk, gate);
    this.spoken = new Spoken(desk);
    this.turn = turn;
    this.can = can;
    this.started = started;
  }

  ProgressRow progress() {
    return progress;
  }

  Turn turn() {
    return turn;
  }

  void turn(Turn now) {
    turn = now;
  }

  Capabilities can() {
    return can;
  }

  boolean started() {
    return started;
  }

  Optional<AgentEvent.Exited> exited() {
    return exited;
  }

  boolean passed(String name) {
    return barrier.equals(Optional.of(name));
  }

  boolean asking() {
    return !asks.isEmpty();
  }

  Optional<Ask> ask(String id) {
    return Optional.ofNullable(asks.get(id));
  }

  List<Ask> openAsks() {
    return List.copyOf(asks.values());
  }

  void remember(Ask ask) {
    if (ask.open()) {
      asks.put(ask.id(), ask);
    }
  }

  void closeAsk(Ask ask) {
    asks.remove(ask.id());
    desk.change(ask);
    if (asks.isEmpty()) {
      desk.change(new RunChange.Needs(desk.number(), Optional.empty(), desk.now()));
    }
  }

  /** The answers to withdrawals since the last time this was asked. */
  List<AgentEvent.SteerGivenBack> takeGivenBack() {
    List<AgentEvent.SteerGivenBack> answers = List.copyOf(givenBack);
    givenBack.clear();
    return answers;
  }

  void hear(Heard heard) {
    for (AgentEvent event : heard.events()) {
      Instant now = desk.now();
      signs.saw(event, now);
      hear(event, now);
    }
    desk.heardTo(heard.upTo().offset(), heard.upTo().memo());
    if (heard.awaited()) {
      desk.awaitedNow();
    }
  }

  private void hear(AgentEvent event, Instant now) {
    int attempt = desk.number();
    switch (event) {
      case AgentEvent.Started it -> started(it, now);
      case AgentEvent.SessionNamed it -> named(it.session(), now);
      case AgentEvent.PromptAccepted it -> {
        taken(it.turn());
        openingSteers(it.turn(), new SteerChange.Accepted(attempt, now, it.evidence()));
      }
      case AgentEvent.PromptInjected it -> {
        taken(it.turn());
        openingSteers(it.turn(), new SteerChange.Injected(attempt, now, it.evidence()));
      }
      case AgentEvent.TurnStarted it -> turnStarted(it, now);
      case AgentEvent.Phase it -> phase = Progress.line(it.name());
      case AgentEvent.Said it -> said(it, now);
      case AgentEvent.ToolStarted it -> toolStarted(it, now);
      case AgentEvent.ToolOutput _ -> {}
      case AgentEvent.ToolFinished it -> {
        signs.finish(it.call());
        String summary = cut(it.summary());
        RunEvent finished = new RunEvent.ToolFinished(attempt, it.call(), it.ok(), summary);
        spoken.note(finished, summary.length(), now);
      }
      case AgentEvent.SteerAccepted it ->
          about(it.steer(), new SteerChange.Accepted(attempt, now, it.evidence()));
      case AgentEvent.SteerInjected it -> injected(it, now);
      case AgentEvent.SteerSeen it ->
          about(it.steer(), new SteerChange.Seen(attempt, now, it.evidence()));
      case AgentEvent.SteerNotTaken it ->
          about(it.steer(), new SteerChange.Returned(attempt, now, it.reason()));
      case AgentEvent.SteerRefused it ->
          about(it.steer(), new SteerChange.Refused(attempt, now, it.reason()));
      case AgentEvent.SteerGivenBack it -> givenBack.add(it);
      case AgentEvent.Used it -> {
        desk.change(new RunChange.Used(attempt, it.more(), now));
        spoken.note(new RunEvent.Used(attempt, it.more()), 0, now);
      }
      case AgentEvent.Asked it -> asked(it, now);
      case AgentEvent.AskClosed it -> askClosed(it, now);
      case AgentEvent.TurnEnded it -> turnEnded(it, now);
      case AgentEvent.BarrierPassed it -> barrier = Optional.of(it.name());
      case AgentEvent.Waiting it -> {
        String reason = cut(it.reason());
        spoken.note(new RunEvent.Waiting(attempt, reason), reason.length(), now);
      }
      case AgentEvent.Garbage it -> {
        String excerpt = cut(it.excerpt());
        spoken.note(new RunEvent.Garbage(attempt, excerpt, it.bytes()), excerpt.length(), now);
      }
      case AgentEvent.Exited it -> {
        spoken.settle();
        exited = Optional.of(it);
      }
    }
  }

  private void started(AgentEvent.Started it, Instant now) {
    started = true;
    can = it.can();
    desk.change(desk.attempt().started(it.version(), it.can()));
    desk.note(new RunEvent.AgentStarted(desk.number(), it.version(), desk.attempt().pid()));
    it.session().ifPresent(session -> named(session, now));
    if (desk.attempt().resumes()) {
      String evidence = "the session that has it was resumed";
      desk.openSteers().stream()
          .filter(Steer::inConversation)
          .forEach(s -> desk.change(s, new SteerChange.Kept(desk.number(), now, evidence)));
    }
  }

  private void named(SessionId session, Instant now) {
    if (!desk.run().session().equals(Optional.of(session))) {
      desk.change(new RunChange.SessionNamed(desk.number(), session, now));
      desk.note(new RunEvent.SessionNamed(desk.number(), session));
    }
  }

  private void taken(int number) {
    desk.turn()
        .filter(record -> record.number() == number && !record.taken())
        .ifPresent(record -> desk.change(record.asTaken()));
  }

  /** What is said of a turn's opening message holds for every steer that is part of it. */
  private void openingSteers(int number, SteerChange change) {
    Optional<TurnRecord> record = desk.turn().filter(r -> r.number() == number);
    if (record.isEmpty()) {
      return;
    }
    record.get().steers().stream()
        .flatMap(id -> desk.steer(id).stream())
        .filter(steer -> steer.holder() == desk.number())
        .forEach(steer -> desk.change(steer, change));
  }

  private void about(SteerId id, SteerChange change) {
    desk.steer(id).ifPresent(steer -> desk.change(steer, change));
  }

  /** Shown while no turn ran: the steer opens a turn of its own. */
  private void injected(AgentEvent.SteerInjected it, Instant now) {
    if (turn instanceof Turn.Settled(int last)) {
      desk.steer(it.steer()).ifPresent(steer -> carry(steer, last + 1, now));
    }
    about(it.steer(), new SteerChange.Injected(desk.number(), now, it.evidence()));
  }

  private void carry(Steer steer, int turnNumber, Instant now) {
    desk.change(
        steer,
        new SteerChange.OpenedTurn(
            desk.number(), turnNumber, steer.deliveredMode().orElse(steer.mode()), now));
  }

  private void turnStarted(AgentEvent.TurnStarted it, Instant now) {
    int number = desk.run().turn();
    if (it.byItself() && turn instanceof Turn.Settled) {
      desk.change(new RunChange.TurnOpened(desk.number(), now));
      int opened = desk.run().turn();
      number = opened;
      desk.openSteers().stream().filter(Steer::inTransit).forEach(s -> carry(s, opened, now));
      desk.change(
          TurnRecord.opened(
                  desk.run().id(), number, desk.number(), TurnPurpose.AGENT, "", List.of(), now)
              .asTaken());
    } else {
      taken(number);
    }
    if (!(turn instanceof Turn.Interrupting)) {
      turn = new Turn.Running(number);
    }
    desk.note(new RunEvent.TurnStarted(desk.number(), number));
    progress("working", "turn " + number + " began", Optional.empty(), now);
  }

  private void said(AgentEvent.Said it, Instant now) {
    lastSaid = it.text();
    String text = cut(it.text());
    spoken.note(new RunEvent.Said(desk.number(), text), text.length(), now);
    progress(phaseOr("thinking"), it.text(), Optional.empty(), now);
  }

  private void toolStarted(AgentEvent.ToolStarted it, Instant now) {
    signs.begin(it, now);
    String summary = cut(it.summary());
    spoken.note(
        new RunEvent.ToolStarted(
            desk.number(), it.call(), it.name(), summary, it.declaredTimeout()),
        summary.length(),
        now);
    progress(phaseOr("using " + it.name()), it.summary(), Optional.of(it.name()), now);
  }

  private String phaseOr(String usual) {
    return phase.isBlank() ? usual : phase;
  }

  private void progress(String phase, String summary, Optional<String> tool, Instant now) {
    if (summary.isBlank()) {
      return;
    }
    progress.take(signs.progress(phase, summary, tool, now));
  }

  private void asked(AgentEvent.Asked it, Instant now) {
    Ask ask =
        new Ask(
            desk.run().id(),
            desk.number(),
            it.ask(),
            it.kind(),
            cut(it.question()),
            cut(it.detail()),
            now,
            Optional.empty(),
            Optional.empty());
    asks.put(ask.id(), ask);
    desk.change(ask);
    desk.change(new RunChange.Needs(desk.number(), Optional.of(new Need.Answer(ask.kind())), now));
    desk.note(
        new RunEvent.Asked(desk.number(), ask.id(), ask.kind(), ask.question(), ask.detail()));
  }

  private void askClosed(AgentEvent.AskClosed it, Instant now) {
    ask(it.ask())
        .ifPresent(ask -> {
          closeAsk(ask.closed(it.how(), now));
          desk.note(new RunEvent.AskClosed(desk.number(), ask.id(), it.how()));
        });
  }

  private void turnEnded(AgentEvent.TurnEnded it, Instant now) {
    signs.settled();
    spoken.settle();
    int number = desk.run().turn();
    turn = new Turn.Settled(number);
    String words = it.text().isBlank() ? lastSaid : it.text();
    String answer = it.how() == AgentEvent.TurnEnd.ERROR ? it.reason() : words;
    desk.turn()
        .filter(record -> record.number() == number)
        .ifPresent(record -> desk.change(record.ended(now, it.how(), bothEnds(answer))));
    desk.note(new RunEvent.TurnEnded(desk.number(), number, it.how(), cut(it.reason())));
    openAsks().forEach(ask -> closeAsk(ask.closed("the turn ended", now)));
    String evidence = "turn " + number + " " + Wire.name(it.how());
    switch (it.how()) {
      case COMPLETED -> {
        desk.change(new RunChange.TurnFinished(desk.number(), now));
        answered(evidence, now);
      }
      case INTERRUPTED -> {
        answered(evidence, now);
        if (!can.has(Capability.KEEPS_PENDING_ON_INTERRUPT)) {
          settleInTransit(now);
        }
      }
      case ERROR -> {}
    }
  }

  private void answered(String evidence, Instant now) {
    desk.openSteers().stream()
        .filter(Steer::inConversation)
        .forEach(s -> desk.change(s, new SteerChange.Answered(desk.number(), now, evidence)));
  }

  /** Dropped with the interrupted turn, unless it was taken in before without a sign of it. */
  private void settleInTransit(Instant now) {
    boolean certain =
        can.has(Capability.INJECTED_EVIDENCE) || can.has(Capability.IGNORES_REPEATED_ID);
    for (Steer steer : desk.openSteers()) {
      if (steer.inTransit()) {
        desk.change(
            steer,
            certain
                ? new SteerChange.Returned(
                    desk.number(), now, "the agent dropped it when its turn was interrupted")
                : new SteerChange.LostTrack(
                    desk.number(),
                    now,
                    "the turn was interrupted; the agent does not say whether"
                        + " it had taken it in"));
      }
    }
  }

  /** What matters of a long answer stands at its end. */
  private static String bothEnds(String text) {
    int half = LONGEST_TEXT / 2;
    return text.length() <= LONGEST_TEXT
        ? text
        : text.substring(0, half)
            + "\n[cut: "
            + text.length()
            + " characters in all]\n"
            + text.substring(text.length() - half);
  }

  private static String cut(String text) {
    return text.length() <= LONGEST_TEXT
        ? text
        : text.substring(0, LONGEST_TEXT) + "\n[cut: " + text.length() + " characters in all]";
  }
}
