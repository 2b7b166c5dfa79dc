package dev.midcourse.proof.model;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The plan of the model: steps in order, one per request of the conversation; reactions to certain
 * text; and a step for requests after the last step.
 */
public record Script(List<Step> steps, List<Reaction> reactions, Step atTheEnd) {

  private static final Step DONE = Step.say("The script is at its end.");

  /**
   * Steps that are played first, once, when a message to the model (from the user, a tool or the
   * agent) matches the pattern.
   */
  public record Reaction(Pattern seen, List<Step> steps) {
    public Reaction {
      steps = List.copyOf(steps);
    }
  }

  public Script {
    steps = List.copyOf(steps);
    reactions = List.copyOf(reactions);
  }

  public static Script of(Step... steps) {
    return new Script(List.of(steps), List.of(), DONE);
  }

  /** Returns a copy that also plays these steps when the expression first matches. */
  public Script whenSees(String regex, Step... first) {
    var reaction = new Reaction(Pattern.compile(regex), List.of(first));
    return new Script(
        steps, Stream.concat(reactions.stream(), Stream.of(reaction)).toList(), atTheEnd);
  }

  /** Returns a copy that plays this step for every request after its last step. */
  public Script atTheEnd(Step step) {
    return new Script(steps, reactions, step);
  }
}
