package dev.midcourse.core;

/**
 * The result of applying a change to a state.
 *
 * @param <S> the state
 */
public sealed interface Transition<S> {
  /** The change was applied. */
  record Changed<S>(S next) implements Transition<S> {}

  /** The change has no new information, or it comes from an attempt that no longer counts. */
  record Stale<S>(String why) implements Transition<S> {}

  /** The state does not allow the change. The problem tells the author of the change why. */
  record Rejected<S>(Problem problem) implements Transition<S> {}
}
