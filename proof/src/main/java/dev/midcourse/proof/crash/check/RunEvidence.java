package dev.midcourse.proof.crash.check;

import dev.midcourse.agents.rehearsal.program.RehearsalEvent;
import dev.midcourse.agents.rehearsal.program.Transcript;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.proof.crash.hub.DrillAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The remains of a run: its ledger data, and the records of its agents, one list for each session.
 */
public record RunEvidence(
    String run,
    DrillAgent agent,
    PendingPolicy policy,
    RunState state,
    List<Steer> steers,
    List<List<RehearsalEvent>> sessions) {

  public static RunEvidence of(Ledger ledger, Path folder, String id) throws IOException {
    Run run = ledger.read(r -> r.run(RunId.of(id))).orElseThrow();
    Path home = folder.resolve("runs").resolve(id).resolve("home");
    List<List<RehearsalEvent>> sessions = new ArrayList<>();
    for (SessionId session : sessions(home)) {
      sessions.add(Transcript.notes(home, session));
    }
    return new RunEvidence(
        id,
        DrillAgent.of(run.spec().agent()),
        run.spec().pending(),
        run.state(),
        ledger.read(r -> r.steers(run.id())),
        sessions);
  }

  /**
   * Returns the sessions in the order of their start; none for a run that was stopped in the queue.
   */
  private static List<SessionId> sessions(Path home) throws IOException {
    if (!Files.isDirectory(home)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(home)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".jsonl"))
          .map(name -> SessionId.of(name.substring(0, name.length() - ".jsonl".length())))
          .sorted(Comparator.comparing(SessionId::value))
          .toList();
    }
  }

  /** Returns every steer that a session of the run took, in that order. */
  public List<Framed> taken() {
    List<Framed> taken = new ArrayList<>();
    for (List<RehearsalEvent> notes : sessions) {
      for (RehearsalEvent note : notes) {
        switch (note) {
          case RehearsalEvent.Took(var steer, String message) ->
              taken.add(Framed.of(steer, message));
          case RehearsalEvent.Opened(int _, String message) -> taken.addAll(Framed.in(message));
          case RehearsalEvent.Began _,
              RehearsalEvent.Received _,
              RehearsalEvent.LetGo _,
              RehearsalEvent.Called _,
              RehearsalEvent.StepDone _,
              RehearsalEvent.Ended _ -> {}
        }
      }
    }
    return taken;
  }

  /** Returns whether the last record of the agent is the end of its turn. */
  boolean hasFinished() {
    return !sessions.isEmpty()
        && sessions.getLast().stream()
            .filter(note ->
                !(note instanceof RehearsalEvent.Received || note instanceof RehearsalEvent.LetGo))
            .reduce((_, last) -> last)
            .filter(RehearsalEvent.Ended.class::isInstance)
            .isPresent();
  }
}
