package dev.midcourse.engine.supervise;

import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.core.WireNames;
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
import dev.midcourse.core.steer.TurnState;
import dev.midcourse.core.watch.Progress;
import dev.midcourse.core.watch.ProgressPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Turns what an agent says into changes of its run and its steers. Decides nothing: what to do
 * about it is the {@link AttemptLoop}'s.
 */
final class AgentEventHandler {
  private static final int MAX_TEXT = 64 * 1024;

  private final AttemptUnitOfWork unitOfWork;
  private final ActivityTracker signs;
  private final ProgressThrottle progress;
  private final TranscriptThrottle transcriptThrottle;
  private final Map<String, Ask> asks = new HashMap<>();
  private final List<AgentEvent.SteerGivenBack> givenBack = new ArrayList<>();

  private TurnState turn;
  private Capabilities can;
  private boolean started;
  private Optional<AgentEvent.Exited> exited = Optional.empty();
  private Optional<String> barrier = Optional.empty();
  private String lastSaid = "";

  /** As the agent itself calls what it does; blank where it does not. */
  private String phase = "";

  AgentEventHandler(
      AttemptUnitOfWork unitOfWork,
      ActivityTracker signs,
      ProgressPolicy gate,
      TurnState turn,
      Capabilities can,
      boolean started) {
    this.unitOfWork = unitOfWork;
    this.signs = signs;
    this.progress = new ProgressThrottle(unitOfWork, gate);
    this.transcriptThrottle = new TranscriptThrottle(unitOfWork);
    this.turn = turn;
    this.can = can;
    this.started = started;
  }

  ProgressThrottle progress() {
    return progress;
  }

  TurnState turn() {
    return turn;
  }

  void turn(TurnState now) {
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
    unitOfWork.change(ask);
    if (asks.isEmpty()) {
      unitOfWork.change(
          new RunChange.Needs(unitOfWork.attemptNumber(), Optional.empty(), unitOfWork.now()));
    }
  }

  /** The answers to withdrawals since the last time this was asked. */
  List<AgentEvent.SteerGivenBack> takeGivenBack() {
    List<AgentEvent.SteerGivenBack> answers = List.copyOf(givenBack);
    givenBack.clear();
    return answers;
  }

  void hear(AgentEventBatch batch) {
    for (AgentEvent event : batch.events()) {
      Instant now = unitOfWork.now();
      signs.saw(event, now);
      hear(event, now);
    }
    unitOfWork.advanceOutput(batch.upTo().offset(), batch.upTo().memo());
    if (batch.awaited()) {
      unitOfWork.awaitedNow();
    }
  }

  private void hear(AgentEvent event, Instant now) {
    int attempt = unitOfWork.attemptNumber();
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
        transcriptThrottle.note(finished, summary.length(), now);
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
        unitOfWork.change(new RunChange.Used(attempt, it.more(), now));
        transcriptThrottle.note(new RunEvent.Used(attempt, it.more()), 0, now);
      }
      case AgentEvent.Asked it -> asked(it, now);
      case AgentEvent.AskClosed it -> askClosed(it, now);
      case AgentEvent.TurnEnded it -> turnEnded(it, now);
      case AgentEvent.BarrierPassed it -> barrier = Optional.of(it.name());
      case AgentEvent.Waiting it -> {
        String reason = cut(it.reason());
        transcriptThrottle.note(new RunEvent.Waiting(attempt, reason), reason.length(), now);
      }
      case AgentEvent.Garbage it -> {
        String excerpt = cut(it.excerpt());
        transcriptThrottle.note(
            new RunEvent.Garbage(attempt, excerpt, it.bytes()), excerpt.length(), now);
      }
      case AgentEvent.Exited it -> {
        transcriptThrottle.settle();
        exited = Optional.of(it);
      }
    }
  }

  private void started(AgentEvent.Started it, Instant now) {
    started = true;
    can = it.can();
    unitOfWork.change(unitOfWork.attempt().started(it.version(), it.can()));
    unitOfWork.append(
        new RunEvent.AgentStarted(
            unitOfWork.attemptNumber(), it.version(), unitOfWork.attempt().pid()));
    it.session().ifPresent(session -> named(session, now));
    if (unitOfWork.attempt().resumes()) {
      String evidence = "the session that has it was resumed";
      unitOfWork.openSteers().stream()
          .filter(Steer::inConversation)
          .forEach(s ->
              unitOfWork.change(
                  s, new SteerChange.Kept(unitOfWork.attemptNumber(), now, evidence)));
    }
  }

  private void named(SessionId session, Instant now) {
    if (!unitOfWork.run().session().equals(Optional.of(session))) {
      unitOfWork.change(new RunChange.SessionNamed(unitOfWork.attemptNumber(), session, now));
      unitOfWork.append(new RunEvent.SessionNamed(unitOfWork.attemptNumber(), session));
    }
  }

  private void taken(int number) {
    unitOfWork
        .turn()
        .filter(record -> record.number() == number && !record.taken())
        .ifPresent(record -> unitOfWork.change(record.asTaken()));
  }

  /** What is said of a turn's opening message holds for every steer that is part of it. */
  private void openingSteers(int number, SteerChange change) {
    Optional<TurnRecord> record = unitOfWork.turn().filter(r -> r.number() == number);
    if (record.isEmpty()) {
      return;
    }
    record.get().steers().stream()
        .flatMap(id -> unitOfWork.steer(id).stream())
        .filter(steer -> steer.holder() == unitOfWork.attemptNumber())
        .forEach(steer -> unitOfWork.change(steer, change));
  }

  private void about(SteerId id, SteerChange change) {
    unitOfWork.steer(id).ifPresent(steer -> unitOfWork.change(steer, change));
  }

  /** Shown while no turn ran: the steer opens a turn of its own. */
  private void injected(AgentEvent.SteerInjected it, Instant now) {
    if (turn instanceof TurnState.Settled(int last)) {
      unitOfWork.steer(it.steer()).ifPresent(steer -> carry(steer, last + 1, now));
    }
    about(it.steer(), new SteerChange.Injected(unitOfWork.attemptNumber(), now, it.evidence()));
  }

  private void carry(Steer steer, int turnNumber, Instant now) {
    unitOfWork.change(
        steer,
        new SteerChange.OpenedTurn(
            unitOfWork.attemptNumber(),
            turnNumber,
            steer.deliveredMode().orElse(steer.mode()),
            now));
  }

  private void turnStarted(AgentEvent.TurnStarted it, Instant now) {
    int number = unitOfWork.run().turn();
    if (it.byItself() && turn instanceof TurnState.Settled) {
      unitOfWork.change(new RunChange.TurnOpened(unitOfWork.attemptNumber(), now));
      int opened = unitOfWork.run().turn();
      number = opened;
      unitOfWork.openSteers().stream().filter(Steer::inTransit).forEach(s -> carry(s, opened, now));
      unitOfWork.change(
          TurnRecord.opened(
                  unitOfWork.run().id(),
                  number,
                  unitOfWork.attemptNumber(),
                  TurnPurpose.AGENT,
                  "",
                  List.of(),
                  now)
              .asTaken());
    } else {
      taken(number);
    }
    if (!(turn instanceof TurnState.Interrupting)) {
      turn = new TurnState.Running(number);
    }
    unitOfWork.append(new RunEvent.TurnStarted(unitOfWork.attemptNumber(), number));
    progress("working", "turn " + number + " began", Optional.empty(), now);
  }

  private void said(AgentEvent.Said it, Instant now) {
    lastSaid = it.text();
    String text = cut(it.text());
    transcriptThrottle.note(
        new RunEvent.Said(unitOfWork.attemptNumber(), text), text.length(), now);
    progress(phaseOr("thinking"), it.text(), Optional.empty(), now);
  }

  private void toolStarted(AgentEvent.ToolStarted it, Instant now) {
    signs.begin(it, now);
    String summary = cut(it.summary());
    transcriptThrottle.note(
        new RunEvent.ToolStarted(
            unitOfWork.attemptNumber(), it.call(), it.name(), summary, it.declaredTimeout()),
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
            unitOfWork.run().id(),
            unitOfWork.attemptNumber(),
            it.ask(),
            it.kind(),
            cut(it.question()),
            cut(it.detail()),
            now,
            Optional.empty(),
            Optional.empty());
    asks.put(ask.id(), ask);
    unitOfWork.change(ask);
    unitOfWork.change(
        new RunChange.Needs(
            unitOfWork.attemptNumber(), Optional.of(new Need.Answer(ask.kind())), now));
    unitOfWork.append(
        new RunEvent.Asked(
            unitOfWork.attemptNumber(), ask.id(), ask.kind(), ask.question(), ask.detail()));
  }

  private void askClosed(AgentEvent.AskClosed it, Instant now) {
    ask(it.ask())
        .ifPresent(ask -> {
          closeAsk(ask.closed(it.how(), now));
          unitOfWork.append(new RunEvent.AskClosed(unitOfWork.attemptNumber(), ask.id(), it.how()));
        });
  }

  private void turnEnded(AgentEvent.TurnEnded it, Instant now) {
    signs.settled();
    transcriptThrottle.settle();
    int number = unitOfWork.run().turn();
    turn = new TurnState.Settled(number);
    String words = it.text().isBlank() ? lastSaid : it.text();
    String answer = it.how() == AgentEvent.TurnEnd.ERROR ? it.reason() : words;
    unitOfWork
        .turn()
        .filter(record -> record.number() == number)
        .ifPresent(record -> unitOfWork.change(record.ended(now, it.how(), bothEnds(answer))));
    unitOfWork.append(
        new RunEvent.TurnEnded(unitOfWork.attemptNumber(), number, it.how(), cut(it.reason())));
    openAsks().forEach(ask -> closeAsk(ask.closed("the turn ended", now)));
    String evidence = "turn " + number + " " + WireNames.name(it.how());
    switch (it.how()) {
      case COMPLETED -> {
        unitOfWork.change(new RunChange.TurnFinished(unitOfWork.attemptNumber(), now));
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
    unitOfWork.openSteers().stream()
        .filter(Steer::inConversation)
        .forEach(s ->
            unitOfWork.change(
                s, new SteerChange.Answered(unitOfWork.attemptNumber(), now, evidence)));
  }

  /** Dropped with the interrupted turn, unless it was taken in before without a sign of it. */
  private void settleInTransit(Instant now) {
    boolean certain =
        can.has(Capability.INJECTED_EVIDENCE) || can.has(Capability.IGNORES_REPEATED_ID);
    for (Steer steer : unitOfWork.openSteers()) {
      if (steer.inTransit()) {
        unitOfWork.change(
            steer,
            certain
                ? new SteerChange.Returned(
                    unitOfWork.attemptNumber(),
                    now,
                    "the agent dropped it when its turn was interrupted")
                : new SteerChange.LostTrack(
                    unitOfWork.attemptNumber(),
                    now,
                    "the turn was interrupted; the agent does not say whether"
                        + " it had taken it in"));
      }
    }
  }

  /** What matters of a long answer stands at its end. */
  private static String bothEnds(String text) {
    int half = MAX_TEXT / 2;
    return text.length() <= MAX_TEXT
        ? text
        : text.substring(0, half)
            + "\n[cut: "
            + text.length()
            + " characters in all]\n"
            + text.substring(text.length() - half);
  }

  private static String cut(String text) {
    return text.length() <= MAX_TEXT
        ? text
        : text.substring(0, MAX_TEXT) + "\n[cut: " + text.length() + " characters in all]";
  }
}
