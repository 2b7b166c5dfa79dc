package dev.midcourse.autopilot;

import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.loop.CallKind;
import dev.midcourse.core.loop.Guidance;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopCall;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.step.CallEnd;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.OnUnsupported;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerIntake;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.engine.RunService;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.ledger.LedgerReader;
import dev.midcourse.ledger.Transaction;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Starts the runs of a loop, gives them the guidance of their calls, and reads how they ended. */
final class LoopRuns {

  private static final String ORIGIN = "autopilot";
  private static final int CI_ATTEMPTS = 3;
  private static final Duration END_TIMEOUT = Duration.ofMinutes(1);

  private final LoopParts parts;

  LoopRuns(LoopParts parts) {
    this.parts = parts;
  }

  /** Ends the runs of earlier calls that work in the same checkout: one agent at a time. */
  void awaitEarlierWork(Loop loop, LoopCall call) throws InterruptedException {
    if (call.kind().isWork()) {
      end(
          loop.calls().stream()
              .filter(it -> it.number() < call.number() && it.kind().isWork())
              .toList());
    }
  }

  /** Ends the run of a call and waits until none of its processes is alive. */
  void end(LoopCall call) throws InterruptedException {
    end(call.run());
  }

  /** Ends the runs of calls. A loop may have many calls, so all are looked up in one read. */
  void end(List<LoopCall> calls) throws InterruptedException {
    List<LoopCall> live =
        parts
            .ledger()
            .read(reading ->
                calls.stream()
                    .filter(
                        call -> reading.run(call.run()).filter(it -> it.state().live()).isPresent())
                    .toList());
    for (LoopCall call : live) {
      end(call);
    }
  }

  void end(RunId id) throws InterruptedException {
    Optional<Run> run = parts.ledger().read(reading -> reading.run(id));
    if (run.filter(it -> it.state().live()).isPresent()) {
      parts.runs().stop(id, author(run.get().spec().author()));
      Run _ = parts.runs().awaitEnd(id, END_TIMEOUT);
    }
  }

  private static Author author(Author of) {
    return new Author(of.group(), ORIGIN);
  }

  /**
   * Queues the run of a call, with the guidance that the call has taken, in one transaction. Has no
   * effect if the run is there.
   */
  void start(Loop loop, LoopCall call, Path folder) {
    RunSpec spec = parts.ledger().read(reading -> spec(loop, call, folder, reading));
    Instant now = parts.clock().instant();
    boolean queued =
        parts
            .runs()
            .reserving(
                spec.workspace(),
                () ->
                    parts
                        .ledger()
                        .write(tx -> {
                          if (tx.run(call.run()).isPresent()) {
                            return false;
                          }
                          parts.runs().queue(tx, call.run(), spec, now);
                          storeGuidance(tx, loop, call, now);
                          return true;
                        }));
    if (queued) {
      parts.runs().wake();
    }
  }

  /** Queues a run of CI that belongs to no call. Has no effect if the run is there. */
  void startCi(RunId id, String command, WorkerName worker, Path folder, Author author) {
    RunSpec spec = spec(command, CiAgent.NAME, worker, folder, author(author), CI_ATTEMPTS);
    Instant now = parts.clock().instant();
    boolean queued =
        parts
            .runs()
            .reserving(
                spec.workspace(),
                () ->
                    parts
                        .ledger()
                        .write(tx -> {
                          boolean fresh = tx.run(id).isEmpty();
                          if (fresh) {
                            parts.runs().queue(tx, id, spec, now);
                          }
                          return fresh;
                        }));
    if (queued) {
      parts.runs().wake();
    }
  }

  private static RunSpec spec(Loop loop, LoopCall call, Path folder, LedgerReader reading) {
    Author author = author(loop.createdBy());
    return switch (call.kind()) {
      case IMPLEMENT -> workSpec(loop, call.prompt(), folder, author);
      case FIX, REPAIR ->
          lastRun(loop, call, reading)
              .map(before ->
                  RunSpec.continuing(
                      before, RunService.canResume(reading, before.id()), call.prompt(), author))
              .orElseGet(() -> workSpec(loop, call.prompt(), folder, author));
      case REVIEW ->
          spec(call.prompt(), reviewer(loop), EngineSettings.ANY_WORKER, folder, author, 5);
      case CI ->
          spec(call.prompt(), CiAgent.NAME, loop.spec().worker(), folder, author, CI_ATTEMPTS);
    };
  }

  private static AgentName reviewer(Loop loop) {
    return switch (loop.spec().reviewer()) {
      case LoopReviewer.OfAgent(AgentName agent) -> agent;
      case LoopReviewer.OfLogin _, LoopReviewer.OfPerson _, LoopReviewer.Nobody _ ->
          throw new IllegalStateException("loop " + loop.id() + " has no agent that reviews");
    };
  }

  private static Optional<Run> lastRun(Loop loop, LoopCall call, LedgerReader reading) {
    return loop.calls().reversed().stream()
        .filter(it -> it.kind().isWork() && it.number() < call.number())
        .flatMap(it -> reading.run(it.run()).stream())
        .findFirst()
        .filter(run -> !run.state().live());
  }

  private static RunSpec workSpec(Loop loop, String prompt, Path folder, Author author) {
    return spec(
        prompt,
        loop.spec().agent(),
        loop.spec().worker(),
        folder,
        author,
        RunSpec.DEFAULT_ATTEMPTS);
  }

  private static RunSpec spec(
      String prompt, AgentName agent, WorkerName worker, Path folder, Author author, int attempts) {
    return new RunSpec(
        prompt,
        agent,
        worker,
        folder.toString(),
        author,
        PendingPolicy.ALL,
        attempts,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private void storeGuidance(Transaction tx, Loop loop, LoopCall call, Instant now) {
    for (Guidance guidance : loop.guidance()) {
      steerOf(guidance, call)
          .ifPresent(steer -> {
            var _ = store(tx, guidance, call, steer, now);
          });
    }
  }

  static Optional<SteerId> steerOf(Guidance guidance, LoopCall call) {
    return guidance.bindings().stream()
        .filter(it -> it.call() == call.number())
        .map(Guidance.Binding::steer)
        .findFirst();
  }

  private SteerIntake.IntakeDecision store(
      Transaction tx, Guidance guidance, LoopCall call, SteerId steer, Instant now) {
    SteerRequest request =
        new SteerRequest(
            guidance.text(),
            SteerMode.STEER,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            OnUnsupported.DEGRADE,
            Optional.empty());
    return parts.steering().store(tx, call.run(), guidance.author(), request, steer, now);
  }

  /** How giving guidance to a run went. */
  enum Given {
    GIVEN,
    /** The run is not queued yet; it gets the guidance at its start. */
    WITH_THE_START,
    /** The run has ended. */
    TOO_LATE
  }

  /** Gives guidance to a run that works. Has no effect if the run has it. */
  Given give(Guidance guidance, LoopCall call, SteerId steer) {
    Instant now = parts.clock().instant();
    List<Steer> stored = new ArrayList<>();
    Given given =
        parts
            .ledger()
            .write(tx -> {
              stored.clear();
              Optional<Run> run = tx.run(call.run());
              if (run.isEmpty()) {
                return Given.WITH_THE_START;
              }
              if (tx.steer(steer).isPresent()) {
                return Given.GIVEN;
              }
              return switch (store(tx, guidance, call, steer, now)) {
                case SteerIntake.IntakeDecision.Store(Steer it, _) -> {
                  stored.add(it);
                  yield Given.GIVEN;
                }
                case SteerIntake.IntakeDecision.Repeat _ -> Given.GIVEN;
                case SteerIntake.IntakeDecision.Refuse _ -> Given.TOO_LATE;
              };
            });
    stored.forEach(parts.steering()::deliver);
    return given;
  }

  /** How the run of a call ended; empty while it is live or not there. */
  Optional<Run> ended(LoopCall call) {
    return parts
        .ledger()
        .read(reading -> reading.run(call.run()))
        .filter(run -> !run.state().live());
  }

  static CallEnd end(Run run, LedgerReader reading) {
    return switch (run.state()) {
      case DONE, REVIEW_REQUESTED -> new CallEnd.Answered(answer(run, reading));
      case STOPPED -> new CallEnd.Stopped();
      case FAILED, FAILED_CONTRACT, FAILED_TIMEOUT, QUEUED, RUNNING ->
          new CallEnd.Failed(run.result().orElse(run.state().wire()));
    };
  }

  /** The answers of all turns: a steer may have opened a turn after the one with the report. */
  private static String answer(Run run, LedgerReader reading) {
    return reading.turns(run.id()).stream()
        .flatMap(turn -> turn.answer().stream())
        .collect(Collectors.joining("\n\n"));
  }

  /** The steers of guidance that the agent of the run never got. */
  static Set<SteerId> notOffered(Loop loop, LoopCall call, LedgerReader reading) {
    return loop.guidance().stream()
        .flatMap(guidance -> steerOf(guidance, call).stream())
        .filter(steer -> reading.steer(steer).filter(it -> !wasNeverOffered(it)).isEmpty())
        .collect(Collectors.toSet());
  }

  /**
   * Whether the steer ended with its run before anything was claimed about it. After a crash of the
   * hub, the evidence for a higher rung may come without a claim that it was offered; and what was
   * withdrawn, or may have been delivered, is not given again.
   */
  private static boolean wasNeverOffered(Steer steer) {
    return steer.rung() == Rung.STORED
        && steer.ended().filter(it -> it.how() == SteerEnd.EXPIRED).isPresent();
  }

  /** A red CI is a finding of the loop, and no failure that a person has to look at. */
  void dismissAlarm(LoopCall call, CallKind kind, Author author) {
    if (kind == CallKind.CI) {
      dismissAlarm(call.run(), author);
    }
  }

  void dismissAlarm(RunId id, Author author) {
    Optional<Run> run = parts.ledger().read(reading -> reading.run(id));
    if (run.filter(it -> it.needs().isPresent()).isPresent()) {
      Run _ = parts.runs().dismissAlarm(id, author(author));
    }
  }
}
