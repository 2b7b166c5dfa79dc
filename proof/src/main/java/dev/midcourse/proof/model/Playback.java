package dev.midcourse.proof.model;

import dev.midcourse.proof.model.wire.Message;
import dev.midcourse.proof.model.wire.ModelRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The position in a script. Not thread-safe: its lane guards it. */
final class Playback {
  private final Deque<Step> waiting;
  private final List<Script.Reaction> reactions;
  private final Step atTheEnd;

  Playback(Script script) {
    this.waiting = new ArrayDeque<>(script.steps());
    this.reactions = new ArrayList<>(script.reactions());
    this.atTheEnd = script.atTheEnd();
  }

  /** Returns the step for this request. A step is returned once, a failure as often as it says. */
  Step next(ModelRequest request) {
    react(request);
    var step = waiting.poll();
    if (step == null) {
      return atTheEnd;
    }
    if (step instanceof Step.Fail fail && fail.times() > 1) {
      waiting.addFirst(fail.times(fail.times() - 1));
    }
    return step;
  }

  void add(List<Step> steps) {
    waiting.addAll(steps);
  }

  int stepsLeft() {
    return waiting.size();
  }

  private void react(ModelRequest request) {
    var fired = reactions.stream().filter(reaction -> saw(request, reaction)).toList();
    reactions.removeAll(fired);
    for (var reaction : fired.reversed()) {
      for (var step : reaction.steps().reversed()) {
        waiting.addFirst(step);
      }
    }
  }

  private static boolean saw(ModelRequest request, Script.Reaction reaction) {
    return request.conversation().stream()
        .filter(message -> message.role() != Message.Role.ASSISTANT)
        .anyMatch(message -> reaction.seen().matcher(message.text()).find());
  }
}
