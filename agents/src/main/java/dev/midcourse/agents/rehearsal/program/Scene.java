package dev.midcourse.agents.rehearsal.program;

import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.id.SteerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The current turn: the remaining steps, the steers taken in it, and its counts of done and failed
 * steps.
 */
final class Scene {

  /**
   * The steps for a prompt without a step. They take a few seconds, so that a new user can try a
   * steer.
   */
  private static final List<ScriptStep> DEFAULT_PLAN =
      List.of(
          new ScriptStep.Say(
              "No line of the prompt starts with '$ ', so I rehearse for a few seconds."),
          shell("pwd"),
          shell("ls | head -n 20"),
          new ScriptStep.Say("I have looked around; now I think about it."),
          shell("sleep 1"),
          new ScriptStep.Say("Steer me now, and I take it in at the next boundary."),
          shell("sleep 1"),
          shell("sleep 1"),
          new ScriptStep.Say("Nearly done."),
          shell("sleep 1"));

  private record SteerLine(SteerId steer, String words) {}

  private final int turn;
  private final String plain;
  private final List<ScriptStep> steps = new ArrayList<>();
  private final List<SteerLine> steers = new ArrayList<>();

  /** The number of first steps that steers added at the current boundary. */
  private int justTaken;

  private int done;
  private int failed;

  private Scene(int turn, String plain) {
    this.turn = turn;
    this.plain = plain;
  }

  /**
   * Returns the turn that this message opens. It includes the rest of a turn that a dead process
   * left unfinished.
   */
  static Scene open(int turn, Script script, @Nullable Scene left) {
    Scene scene = new Scene(turn, left == null ? script.plain() : left.plain);
    if (left != null) {
      scene.steps.addAll(left.steps);
      scene.steers.addAll(left.steers);
      scene.done = left.done;
      scene.failed = left.failed;
    }
    return scene;
  }

  int turn() {
    return turn;
  }

  boolean isOpenedBy(Script script) {
    return plain.equals(script.plain());
  }

  void takeSteer(SteerId steer, String words) {
    steers.add(new SteerLine(steer, words));
  }

  void prepend(List<ScriptStep> more) {
    steps.addAll(0, more);
  }

  /**
   * Adds steps of a steer: after the steps of other steers at this boundary, before all other
   * steps.
   */
  void takeIn(List<ScriptStep> more) {
    steps.addAll(justTaken, more);
    justTaken += more.size();
  }

  void planIfAbsent() {
    if (steps.isEmpty() && !plain.isEmpty()) {
      steps.addAll(DEFAULT_PLAN);
    }
  }

  Optional<ScriptStep> due() {
    return steps.isEmpty() ? Optional.empty() : Optional.of(steps.getFirst());
  }

  int number() {
    return done + 1;
  }

  /**
   * Ends the current step. If a permission was denied, removes and returns the command that follows
   * it.
   */
  Optional<ScriptStep> finish(boolean ok) {
    ScriptStep step = steps.removeFirst();
    justTaken = 0;
    if (step instanceof ScriptStep.Shell) {
      done++;
      failed += ok ? 0 : 1;
    }
    boolean denied = step instanceof ScriptStep.Permission && !ok;
    return denied && due().orElse(null) instanceof ScriptStep.Shell
        ? Optional.of(steps.removeFirst())
        : Optional.empty();
  }

  boolean asksForForm() {
    return !FilledForm.of(plain).isEmpty();
  }

  boolean isUnchanged() {
    return done == 0 && steers.isEmpty();
  }

  String answer(TurnEnd how) {
    StringBuilder answer = new StringBuilder();
    answer.append(how == TurnEnd.COMPLETED ? "done: " : "broken off: ");
    answer.append(done).append(done == 1 ? " step" : " steps");
    if (failed > 0) {
      answer.append(", ").append(failed).append(" failed");
    }
    if (!steers.isEmpty()) {
      answer.append("\nheard:");
    }
    for (SteerLine said : steers) {
      answer.append("\n- ").append(said.steer().value()).append(':');
      if (!said.words().isEmpty()) {
        answer.append(' ').append(said.words().replace("\n", "\n  "));
      }
    }
    return answer.append(FilledForm.of(plain)).toString();
  }

  private static ScriptStep shell(String command) {
    return new ScriptStep.Shell(command, Optional.<Duration>empty());
  }
}
