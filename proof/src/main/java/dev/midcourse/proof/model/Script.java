package dev.midcourse.proof.model;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the model will do: its steps in order, one per request of the conversation, what it does
 * when it sees certain words, and what it does once the steps are used up.
 */
public record Script(List<Step> steps, List<Reaction> reactions, Step atTheEnd) {

  private static final Step DONE = Step.say("The script is at its end.");

  /**
   * Steps that come first, once, as soon as something that was said to the model (by the user, by a
   * tool, by the agent on the user's behalf) matches.
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

  /** The same script, which also takes these steps when it first sees the expression. */
  public Script whenSees(String regex, Step... first) {
    var reaction = new Reaction(Pattern.compile(regex), List.of(first));
    return new Script(
        steps, Stream.concat(reactions.stream(), Stream.of(reaction)).toList(), atTheEnd);
  }

  /** The same script, which does this for every request after its last step. */
  public Script atTheEnd(Step step) {
    return new Script(steps, reactions, step);
  }
}
