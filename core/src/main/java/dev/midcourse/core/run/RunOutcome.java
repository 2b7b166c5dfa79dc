package dev.midcourse.core.run;

/**
 * The end of a run.
 *
 * @param state a state that is not live
 * @param summary the last answer of the agent, or the error
 */
public record RunOutcome(RunState state, String summary) {
  public RunOutcome {
    if (state.live()) {
      throw new IllegalArgumentException("an outcome cannot be live: " + state);
    }
  }
}
