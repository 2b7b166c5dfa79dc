package dev.midcourse.proof.crash;

import dev.midcourse.agents.rehearsal.program.Note;
import dev.midcourse.agents.stdio.Json;
import dev.midcourse.core.id.SteerId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds what was written to an agent once more although the same process of it had it: neither
 * turned away nor given back. A process that takes the session up holds nothing of what the one
 * before it had been given.
 */
final class Repetitions {
  private final Set<SteerId> steers = new HashSet<>();
  private final Set<Integer> turns = new HashSet<>();
  private final List<String> found = new ArrayList<>();

  private Repetitions() {}

  static List<String> in(List<Note> session) {
    Repetitions repetitions = new Repetitions();
    session.forEach(repetitions::follow);
    return repetitions.found;
  }

  private void follow(Note note) {
    switch (note) {
      case Note.Began() -> {
        steers.clear();
        turns.clear();
      }
      case Note.Received(String line) -> Json.object(line).ifPresent(this::received);
      case Note.LetGo(SteerId steer) -> steers.remove(steer);
      case Note.Opened _, Note.Took _, Note.Called _, Note.StepDone _, Note.Ended _ -> {}
    }
  }

  private void received(ObjectNode word) {
    switch (Json.text(word, "type")) {
      case "steer" -> steer(SteerId.of(Json.text(word, "steer_id")));
      case "prompt" -> {
        int turn = word.path("turn").asInt();
        if (!turns.add(turn)) {
          found.add("the opening of turn " + turn);
        } else {
          Framed.in(Json.text(word, "message")).forEach(framed -> steer(framed.steer()));
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
