package dev.midcourse.core.authority;

import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import java.util.Optional;

/** A requested action, with the facts that decide whether the caller may do it. */
public sealed interface Action {

  /** See one run with its steers, turns, questions and log. */
  record See(RunId run, WorkerName worker) implements Action {
    public static See of(Run run) {
      return new See(run.id(), run.spec().worker());
    }
  }

  /** See everything: all runs, all events, the hub itself. */
  record SeeAll() implements Action {}

  /** List runs. The list has only the runs that {@link Authority#sight} allows the caller. */
  record ListRuns() implements Action {}

  /** Start a run of this worker by a dispatch under the contract. */
  record Dispatch(WorkerName worker) implements Action {}

  /**
   * Start a run of this worker by a plain prompt, without a contract.
   *
   * @param declared whether the settings declare this worker, so that it takes dispatches
   */
  record Start(WorkerName worker, boolean declared) implements Action {}

  /**
   * Control a run: steer, stop, restart or review it.
   *
   * @param how a verb: steer, stop, review
   */
  record Direct(RunId run, WorkerName worker, String how) implements Action {
    public static Direct of(Run run, String how) {
      return new Direct(run.id(), run.spec().worker(), how);
    }
  }

  /** Answer a question of a run's agent. */
  record Answer(RunId run, WorkerName worker) implements Action {}

  /** Let somebody talk to this worker: allow a sender, wire a chat. */
  record LetIn(WorkerName worker) implements Action {}

  /** Create a worker for a chat. */
  record CreateWorker() implements Action {}

  /** Send a message to a group. */
  record Tell(GroupName to) implements Action {}

  /** Act in the name of this group. */
  record SpeakAs(GroupName group) implements Action {}

  /**
   * Operate the hub: end it, delete old runs.
   *
   * @param how a verb and its object
   */
  record Keep(String how) implements Action {}

  /** Returns the text that completes "may not". */
  default String description() {
    return switch (this) {
      case See it -> "see run " + it.run();
      case SeeAll _, ListRuns _ -> "see other runs";
      case Dispatch it -> "start a run of " + it.worker();
      case Start it -> "start a run of " + it.worker() + " without a dispatch";
      case Direct it -> it.how() + " run " + it.run();
      case Answer it -> "answer for run " + it.run();
      case LetIn it -> "decide who talks to " + it.worker();
      case CreateWorker _ -> "create a worker";
      case Tell it -> "send a message to " + it.to();
      case SpeakAs it -> "act as " + it.group();
      case Keep it -> it.how();
    };
  }

  /** Returns the run that the action concerns, if there is one. */
  default Optional<RunId> about() {
    return switch (this) {
      case See it -> Optional.of(it.run());
      case Direct it -> Optional.of(it.run());
      case Answer it -> Optional.of(it.run());
      case SeeAll _,
          ListRuns _,
          Dispatch _,
          Start _,
          LetIn _,
          CreateWorker _,
          Tell _,
          SpeakAs _,
          Keep _ ->
          Optional.empty();
    };
  }
}
