package dev.midcourse.core.authority;

import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import java.util.Optional;

/** An action that a caller asks for, with the facts that decide whether the caller may do it. */
public sealed interface Action {

  /** Look at one run: itself, its steers, turns, questions, log. */
  record See(RunId run, WorkerName worker) implements Action {
    public static See of(Run run) {
      return new See(run.id(), run.spec().worker());
    }
  }

  /** Look at everything: all runs, all events, the hub itself. */
  record SeeAll() implements Action {}

  /** List runs; the list has only those that {@link Authority#sight} gives the caller. */
  record ListRuns() implements Action {}

  /** Ask for a run of this worker under the contract. */
  record Dispatch(WorkerName worker) implements Action {}

  /**
   * Ask for a run of this worker in plain words, without a contract.
   *
   * @param declared whether the settings know this worker, so that it takes dispatches
   */
  record Start(WorkerName worker, boolean declared) implements Action {}

  /**
   * Change what becomes of a run: steer it, stop it, start it again, review it.
   *
   * @param how a verb: steer, stop, review
   */
  record Direct(RunId run, WorkerName worker, String how) implements Action {
    public static Direct of(Run run, String how) {
      return new Direct(run.id(), run.spec().worker(), how);
    }
  }

  /** Answer what a run's agent asked. */
  record Answer(RunId run, WorkerName worker) implements Action {}

  /** Leave a message for a group. */
  record Tell(GroupName to) implements Action {}

  /** Ask for something in the name of this group. */
  record SpeakAs(GroupName group) implements Action {}

  /**
   * Operate the hub: end it, delete old runs.
   *
   * @param how a verb and its object
   */
  record Keep(String how) implements Action {}

  /** The action in words that complete "may not". */
  default String description() {
    return switch (this) {
      case See it -> "see run " + it.run();
      case SeeAll _, ListRuns _ -> "see other runs";
      case Dispatch it -> "start a run of " + it.worker();
      case Start it -> "start a run of " + it.worker() + " without a dispatch";
      case Direct it -> it.how() + " run " + it.run();
      case Answer it -> "answer for run " + it.run();
      case Tell it -> "send a message to " + it.to();
      case SpeakAs it -> "act as " + it.group();
      case Keep it -> it.how();
    };
  }

  /** The run that the action is about, if it is about one. */
  default Optional<RunId> about() {
    return switch (this) {
      case See it -> Optional.of(it.run());
      case Direct it -> Optional.of(it.run());
      case Answer it -> Optional.of(it.run());
      case SeeAll _, ListRuns _, Dispatch _, Start _, Tell _, SpeakAs _, Keep _ -> Optional.empty();
    };
  }
}
