package dev.midcourse.core.run;

/**
 * How a run ended and what is left of it.
 *
 * @param state one of the states that are not live
 * @param summary the agent's last words, or what went wrong
 */
public record RunOutcome(RunState state, String summary) {
  public RunOutcome {
    if (state.live()) {
      throw new IllegalArgumentException("an outcome cannot be live: " + state);
    }
  }
}
