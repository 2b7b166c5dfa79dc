package dev.midcourse.agents.rehearsal.program;

import dev.midcourse.core.id.SteerId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the agent knows of its session: the turns it opened, the steers it took, the turn under way.
 * It changes by notes only, so that the same notes always give the same conversation; a steer that
 * was taken once is never taken again, whichever way it comes.
 */
final class Conversation {
  private final Set<SteerId> taken = new HashSet<>();
  private final Set<Integer> opened = new HashSet<>();
  private @Nullable Scene scene;
  private int calls;
  private long tokens;

  /** What followed from a note: a command that is left out, since it was not allowed. */
  Optional<Step> apply(Note note) {
    switch (note) {
      case Note.Opened(int turn, String message) -> open(turn, Script.parse(message));
      case Note.Took(SteerId steer, String message) ->
          scene().takeIn(take(scene(), steer, message));
      case Note.Called _ -> calls++;
      case Note.StepDone(boolean ok) -> {
        return scene().finish(ok);
      }
      case Note.Ended _ -> scene = null;
    }
    return Optional.empty();
  }

  /** The turn under way, or the one that a dead process left. */
  Optional<Scene> underWay() {
    return Optional.ofNullable(scene);
  }

  boolean hasOpened(int turn) {
    return opened.contains(turn);
  }

  boolean hasTaken(SteerId steer) {
    return taken.contains(steer);
  }

  int calls() {
    return calls;
  }

  /** The tokens of what was said to the agent since the last time this was asked. */
  long newTokens() {
    long more = tokens;
    tokens = 0;
    return more;
  }

  private Scene scene() {
    if (scene == null) {
      throw new IllegalStateException("the notes speak of a turn that was not opened");
    }
    return scene;
  }

  private void open(int turn, Script script) {
    Scene left = scene;
    Scene next = Scene.open(turn, script, left);
    boolean again = left != null && left.isOpenedBy(script);
    List<Step> steps = new ArrayList<>();
    for (Script.Part part : script.parts()) {
      if (part.steer().isPresent()) {
        steps.addAll(take(next, part.steer().get(), part));
      } else if (!again) {
        steps.addAll(part.steps());
        tokens += Script.tokens(part.text());
      }
    }
    next.prepend(steps);
    if (opened.isEmpty()) {
      next.planIfThereIsNone();
    }
    opened.add(turn);
    scene = next;
  }

  private List<Step> take(Scene into, SteerId steer, String message) {
    return take(into, steer, Script.parse(message).partOf(steer, message));
  }

  /** What the steer wants done next; nothing if it was heard before. */
  private List<Step> take(Scene into, SteerId steer, Script.Part part) {
    if (!taken.add(steer)) {
      return List.of();
    }
    tokens += Script.tokens(part.text());
    into.hear(steer, part.words());
    return part.steps();
  }
}
