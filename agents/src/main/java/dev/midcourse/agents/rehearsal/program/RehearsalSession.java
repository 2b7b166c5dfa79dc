package dev.midcourse.agents.rehearsal.program;

import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.id.SteerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of the agent's session: the turns it opened, the steers it took, and the current turn.
 * Only notes change the state, so the same notes always give the same session. A mindful agent
 * takes a steer only once, whether the steer comes alone or within a prompt.
 */
final class RehearsalSession {
  private final DuplicatePolicy duplicates;
  private final Meter meter;
  private final Set<SteerId> taken = new HashSet<>();

  /** The message of each turn. A run that continues the session counts its turns from 1 again. */
  private final Map<Integer, String> opened = new HashMap<>();

  /** Answers of an earlier process that may have died before it reported them. */
  private final Map<Integer, String> unconfirmedAnswers = new HashMap<>(2);

  private String newestOfThem = "";
  private boolean restoring = true;
  private @Nullable Scene scene;
  private int calls;

  RehearsalSession(DuplicatePolicy duplicates, Meter meter) {
    this.duplicates = duplicates;
    this.meter = meter;
  }

  /** Applies a note. Returns the command that is skipped because its permission was denied. */
  Optional<ScriptStep> apply(RehearsalEvent note) {
    switch (note) {
      case RehearsalEvent.Began _, RehearsalEvent.Received _, RehearsalEvent.LetGo _ -> {}
      case RehearsalEvent.Opened(int turn, String message) -> open(turn, message);
      case RehearsalEvent.Took(SteerId steer, String message) -> {
        Script.Part part = Script.parse(message).partOf(steer, message);
        scene().takeIn(take(scene(), steer, part));
      }
      case RehearsalEvent.Called _ -> calls++;
      case RehearsalEvent.StepDone(boolean ok) -> {
        return scene().finish(ok);
      }
      case RehearsalEvent.Ended(int turn, TurnEnd _, String answer) -> end(turn, answer);
    }
    return Optional.empty();
  }

  /** Marks the end of the notes of an earlier process. Later notes come from this process. */
  void restored() {
    restoring = false;
  }

  /** Returns the current turn, or the unfinished turn of a dead process. */
  Optional<Scene> underWay() {
    return Optional.ofNullable(scene);
  }

  /** Returns whether this message has opened the turn, so that the same message is a repetition. */
  boolean hasOpened(int turn, String message) {
    return message.equals(opened.get(turn));
  }

  boolean hasTaken(SteerId steer) {
    return taken.contains(steer);
  }

  int calls() {
    return calls;
  }

  /**
   * Returns the answer of a dead process for this turn. Returns it only once, because the caller
   * then reports it.
   */
  Optional<String> answeredBefore(int turn) {
    return Optional.ofNullable(unconfirmedAnswers.remove(turn));
  }

  /**
   * Returns the answer of the current turn. A turn without a step, a steer or a form repeats the
   * last answer of the earlier process, if there is one.
   */
  String answer(TurnEnd how) {
    boolean wasDone = scene().isUnchanged() && !newestOfThem.isEmpty() && !scene().asksForForm();
    return wasDone ? newestOfThem : scene().answer(how);
  }

  private Scene scene() {
    if (scene == null) {
      throw new IllegalStateException("the notes speak of a turn that was not opened");
    }
    return scene;
  }

  private void open(int turn, String message) {
    Script script = Script.parse(message);
    Scene left = scene;
    Scene next = Scene.open(turn, script, left);
    boolean again = left != null && left.isOpenedBy(script);
    List<ScriptStep> steps = new ArrayList<>();
    for (Script.Part part : script.parts()) {
      if (part.steer().isPresent()) {
        steps.addAll(take(next, part.steer().get(), part));
      } else if (!again) {
        steps.addAll(part.steps());
        meter.countInput(part.text());
      }
    }
    next.prepend(steps);
    if (opened.isEmpty()) {
      next.planIfAbsent();
    }
    opened.put(turn, message);
    unconfirmedAnswers.remove(turn);
    scene = next;
  }

  private void end(int turn, String answer) {
    scene = null;
    newestOfThem = restoring ? answer : "";
    if (restoring) {
      unconfirmedAnswers.put(turn, answer);
    }
  }

  /**
   * Records the steer and returns its steps. Returns no steps if a mindful agent has taken the
   * steer before.
   */
  private List<ScriptStep> take(Scene into, SteerId steer, Script.Part part) {
    if (!taken.add(steer) && duplicates == DuplicatePolicy.MINDFUL) {
      return List.of();
    }
    meter.countInput(part.text());
    into.takeSteer(steer, part.plainText());
    return part.steps();
  }
}
