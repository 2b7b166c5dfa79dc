package dev.midcourse.proof.crash.check;

import dev.midcourse.agents.rehearsal.program.RehearsalEvent;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.id.SteerId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds messages that were written to an agent process that already had them. A message that the
 * process refused or returned does not count. A process that resumes the session holds no messages
 * of the process before it.
 */
final class Repetitions {
  private final Set<SteerId> steers = new HashSet<>();
  private final Set<Integer> turns = new HashSet<>();
  private final List<String> found = new ArrayList<>();

  private Repetitions() {}

  static List<String> in(List<RehearsalEvent> session) {
    Repetitions repetitions = new Repetitions();
    session.forEach(repetitions::follow);
    return repetitions.found;
  }

  private void follow(RehearsalEvent note) {
    switch (note) {
      case RehearsalEvent.Began() -> {
        steers.clear();
        turns.clear();
      }
      case RehearsalEvent.Received(String line) ->
          ProtocolJson.object(line).ifPresent(this::received);
      case RehearsalEvent.LetGo(SteerId steer) -> steers.remove(steer);
      case RehearsalEvent.Opened _,
          RehearsalEvent.Took _,
          RehearsalEvent.Called _,
          RehearsalEvent.StepDone _,
          RehearsalEvent.Ended _ -> {}
    }
  }

  private void received(ObjectNode word) {
    switch (ProtocolJson.text(word, "type")) {
      case "steer" -> steer(SteerId.of(ProtocolJson.text(word, "steer_id")));
      case "prompt" -> {
        int turn = word.path("turn").asInt();
        if (!turns.add(turn)) {
          found.add("the opening of turn " + turn);
        } else {
          Framed.in(ProtocolJson.text(word, "message")).forEach(framed -> steer(framed.steer()));
        }
      }
      default -> {}
    }
  }

  private void steer(SteerId steer) {
    if (!steers.add(steer)) {
      found.add("steer " + steer);
    }
  }
}
