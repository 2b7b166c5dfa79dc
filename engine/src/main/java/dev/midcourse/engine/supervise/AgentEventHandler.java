package dev.midcourse.engine.supervise;

import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.TurnPurpose;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerChange;
import dev.midcourse.core.steer.TurnState;
import dev.midcourse.core.watch.Progress;
import dev.midcourse.engine.attempt.AttemptContext;
import dev.midcourse.engine.attempt.AttemptState;
import dev.midcourse.engine.attempt.AttemptUnitOfWork;
import dev.midcourse.engine.attempt.ProgressThrottle;
import dev.midcourse.engine.attempt.StoredText;
import dev.midcourse.engine.attempt.TranscriptThrottle;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Turns the events of an agent into changes of its run and its steers. Writes nothing to the agent:
 * the {@link AttemptLoop} decides what to do next.
 */
final class AgentEventHandler {
  private final AttemptUnitOfWork unitOfWork;
  private final AttemptState state;
  private final QuestionHandler questions;
  private final ProgressThrottle progress;
  private final TranscriptThrottle transcriptThrottle;
  private String lastSaid = "";

  /** The agent's own name for its work; blank for an agent that gives none. */
  private String phase = "";

  AgentEventHandler(AttemptContext context, QuestionHandler questions) {
    this.unitOfWork = context.unitOfWork();
    this.state = context.state();
    this.questions = questions;
    this.progress = new ProgressThrottle(unitOfWork, context.settings().progress());
    this.transcriptThrottle = new TranscriptThrottle(unitOfWork);
  }

  ProgressThrottle progress() {
    return progress;
  }

  void handle(AgentEventBatch batch) {
    for (AgentEvent event : batch.events()) {
      Instant now = unitOfWork.now();
      state.activity().record(event, now);
      handle(event, now);
    }
    unitOfWork.advanceOutput(batch.upTo().offset(), batch.upTo().memo());
    if (batch.awaited()) {
      unitOfWork.markAwaited();
    }
  }

  private void handle(AgentEvent event, Instant now) {
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
        state.activity().finishTool(it.call());
        String summary = StoredText.cut(it.summary());
        RunEvent finished = new RunEvent.ToolFinished(attempt, it.call(), it.ok(), summary);
        transcriptThrottle.append(finished, summary.length(), now);
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
      case AgentEvent.SteerGivenBack it -> state.addWithdrawalAnswer(it);
      case AgentEvent.Used it -> {
        unitOfWork.change(new RunChange.Used(attempt, it.more(), now));
        transcriptThrottle.append(new RunEvent.Used(attempt, it.more()), 0, now);
      }
      case AgentEvent.Asked it -> questions.asked(it, now);
      case AgentEvent.AskClosed it -> questions.closed(it, now);
      case AgentEvent.TurnEnded it -> turnEnded(it, now);
      case AgentEvent.BarrierPassed it -> state.passBarrier(it.name());
      case AgentEvent.Waiting it -> {
        String reason = StoredText.cut(it.reason());
        transcriptThrottle.append(new RunEvent.Waiting(attempt, reason), reason.length(), now);
      }
      case AgentEvent.Garbage it -> {
        String excerpt = StoredText.cut(it.excerpt());
        transcriptThrottle.append(
            new RunEvent.Garbage(attempt, excerpt, it.bytes()), excerpt.length(), now);
      }
      case AgentEvent.Exited it -> {
        transcriptThrottle.flush();
        state.exit(it);
      }
    }
  }

  private void started(AgentEvent.Started it, Instant now) {
    state.start(it.can());
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

  /** Evidence for the opening message of a turn holds for every steer in that message. */
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

  /** A steer that is shown while no turn runs opens a turn. */
  private void injected(AgentEvent.SteerInjected it, Instant now) {
    if (state.turn() instanceof TurnState.Settled(int last)) {
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
    if (it.byItself() && state.hasSettled()) {
      int opened = unitOfWork.openTurn(now);
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
    state.startTurn(number);
    unitOfWork.append(new RunEvent.TurnStarted(unitOfWork.attemptNumber(), number));
    progress.add("working", Progress.turnStarted(number), Optional.empty(), now);
  }

  private void said(AgentEvent.Said it, Instant now) {
    lastSaid = it.text();
    String text = StoredText.cut(it.text());
    transcriptThrottle.append(
        new RunEvent.Said(unitOfWork.attemptNumber(), text), text.length(), now);
    progress.add(phaseOr("thinking"), it.text(), Optional.empty(), now);
  }

  private void toolStarted(AgentEvent.ToolStarted it, Instant now) {
    state.activity().startTool(it.call(), it.name(), it.declaredTimeout(), now);
    String summary = StoredText.cut(it.summary());
    transcriptThrottle.append(
        new RunEvent.ToolStarted(
            unitOfWork.attemptNumber(), it.call(), it.name(), summary, it.declaredTimeout()),
        summary.length(),
        now);
    progress.add(phaseOr("using " + it.name()), it.summary(), Optional.of(it.name()), now);
  }

  private String phaseOr(String alternative) {
    return phase.isBlank() ? alternative : phase;
  }

  private void turnEnded(AgentEvent.TurnEnded it, Instant now) {
    state.activity().clearTools();
    transcriptThrottle.flush();
    int number = unitOfWork.run().turn();
    state.settleTurn(number);
    String words = it.text().isBlank() ? lastSaid : it.text();
    String answer = it.how() == AgentEvent.TurnEnd.ERROR ? it.reason() : words;
    unitOfWork
        .turn()
        .filter(record -> record.number() == number)
        .ifPresent(
            record -> unitOfWork.change(record.ended(now, it.how(), StoredText.cutMiddle(answer))));
    unitOfWork.append(
        new RunEvent.TurnEnded(
            unitOfWork.attemptNumber(),
            number,
            it.how(),
            StoredText.cut(it.reason()),
            Optional.of(StoredText.cutMiddle(words))
                .filter(_ -> it.how() == AgentEvent.TurnEnd.COMPLETED)));
    questions.closeAll(now);
    String evidence = "turn " + number + " " + WireNames.name(it.how());
    switch (it.how()) {
      case COMPLETED -> {
        unitOfWork.change(new RunChange.TurnFinished(unitOfWork.attemptNumber(), now));
        answered(evidence, now);
      }
      case INTERRUPTED -> {
        answered(evidence, now);
        if (!state.can().has(Capability.KEEPS_PENDING_ON_INTERRUPT)) {
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

  /**
   * An interrupted turn drops the steers that the agent held. Without evidence a steer may have
   * been shown before, and is lost track of.
   */
  private void settleInTransit(Instant now) {
    boolean certain =
        state.can().has(Capability.INJECTED_EVIDENCE)
            || state.can().has(Capability.IGNORES_REPEATED_ID);
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
}
