package dev.midcourse.proof.crash.check;

import dev.midcourse.agents.rehearsal.program.RehearsalEvent;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.OnUnsupported;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.Steer.RungClaim;
import dev.midcourse.core.steer.Steer.SteerEnding;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerFrame;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.proof.crash.hub.DrillAgent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Forged remains of a drill with one run: the answers of the hubs, the ledger and the agent's
 * record. Without a forged fault they are correct.
 */
final class Forgery {
  static final String RUN = "drill-1-0";

  DrillAgent agent = DrillAgent.REHEARSAL;
  PendingPolicy policy = PendingPolicy.ALL;
  RunState state = RunState.DONE;
  final List<SentSteer> stored = new ArrayList<>();
  final Map<SentSteer, String> refused = new HashMap<>();
  final Set<String> withdrawals = new HashSet<>();
  final Set<String> withdrawn = new HashSet<>();
  final Map<String, String> edits = new HashMap<>();
  final Set<String> edited = new HashSet<>();
  final Set<String> stops = new HashSet<>();
  final Set<String> stopping = new HashSet<>();
  final List<Steer> ledger = new ArrayList<>();
  final List<RehearsalEvent> notes = new ArrayList<>(List.of(new RehearsalEvent.Began()));

  /** Returns the stored id of the steer with this number. */
  static SteerId id(int number) {
    return SteerId.of("01900000-0000-7000-8000-" + "%012d".formatted(number));
  }

  static SentSteer sent(int number) {
    return SentSteer.numbered(number, RUN, "steer", Optional.empty()).answered(id(number).value());
  }

  /** Adds steers from 0 on, each stored, written, taken and answered. */
  Forgery delivers(int steers) {
    for (int i = 0; i < steers; i++) {
      stored.add(sent(i));
      ledger.add(steer(i, SteerEnd.ANSWERED, Rung.ANSWERED));
      received(i);
      took(i);
    }
    return this;
  }

  void received(int number) {
    notes.add(
        new RehearsalEvent.Received(
            ProtocolJson.object()
                .put("type", "steer")
                .put("steer_id", id(number).value())
                .put("message", frame(number))
                .toString()));
  }

  void took(int number) {
    notes.add(new RehearsalEvent.Took(id(number), frame(number)));
  }

  void opened(int turn, int... steers) {
    StringBuilder message = new StringBuilder();
    for (int steer : steers) {
      message.append(frame(steer)).append("\n\n");
    }
    notes.add(
        new RehearsalEvent.Received(
            ProtocolJson.object()
                .put("type", "prompt")
                .put("turn", turn)
                .put("message", message.toString())
                .toString()));
    notes.add(new RehearsalEvent.Opened(turn, message.toString()));
  }

  private static String frame(int number) {
    return SteerFrame.of(steer(number, SteerEnd.ANSWERED, Rung.ANSWERED), SteerMode.STEER);
  }

  /** Returns a steer as in the ledger, with every rung up to this one. */
  static Steer steer(int number, SteerEnd end, Rung highest) {
    return steer(id(number), number, sent(number).text(), Optional.of(end), highest);
  }

  static Steer steer(SteerId id, int number, String text, Optional<SteerEnd> end, Rung highest) {
    List<RungClaim> rungs = new ArrayList<>();
    for (Rung rung : Rung.values()) {
      if (rung.compareTo(highest) <= 0) {
        rungs.add(new RungClaim(rung, Instant.EPOCH, 1, "made up"));
      }
    }
    return new Steer(
        id,
        RunId.of(RUN),
        number + 1,
        Author.person("drill"),
        SteerMode.STEER,
        Optional.of(SteerMode.STEER),
        OnUnsupported.DEGRADE,
        SteerText.of(text),
        0,
        Optional.of(IdempotencyKey.of("k" + number)),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        rungs,
        Optional.empty(),
        end.map(how -> new SteerEnding(how, Instant.EPOCH, "made up")));
  }

  void ends() {
    notes.add(new RehearsalEvent.Ended(1, TurnEnd.COMPLETED, "done"));
  }

  CheckResult verdict() {
    DrillRecord account =
        new DrillRecord(stored, refused, withdrawals, withdrawn, edits, edited, stops, stopping);
    return Checker.check(
        account, List.of(new RunEvidence(RUN, agent, policy, state, ledger, List.of(notes))));
  }
}
