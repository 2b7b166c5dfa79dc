package dev.midcourse.core.authority;

import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import java.util.Optional;

/** What somebody wants to do, as far as it matters for whether they may. */
public sealed interface Action {

  /** In words that complete "may not". */
  String words();

  /** The run it is about, if it is about one. */
  Optional<RunId> about();

  /** Look at one run: itself, its steers, turns, questions, log. */
  record See(RunId run, WorkerName worker) implements Action {
    public static See of(Run run) {
      return new See(run.id(), run.spec().worker());
    }

    @Override
    public String words() {
      return "look at run " + run;
    }

    @Override
    public Optional<RunId> about() {
      return Optional.of(run);
    }
  }

  /** Look at everything: all runs, all events, the hub itself. */
  record SeeAll() implements Action {
    @Override
    public String words() {
      return "look at other runs";
    }

    @Override
    public Optional<RunId> about() {
      return Optional.empty();
    }
  }

  /** List runs; the list has only those that {@link Authority#sight} gives the caller. */
  record ListRuns() implements Action {
    @Override
    public String words() {
      return "look at other runs";
    }

    @Override
    public Optional<RunId> about() {
      return Optional.empty();
    }
  }

  /** Ask for a run of this worker under the contract. */
  record Dispatch(WorkerName worker) implements Action {
    @Override
    public String words() {
      return "start a run of " + worker;
    }

    @Override
    public Optional<RunId> about() {
      return Optional.empty();
    }
  }

  /**
   * Ask for a run of this worker in plain words, without a contract.
   *
   * @param declared whether the settings know this worker, so that it takes dispatches
   */
  record Start(WorkerName worker, boolean declared) implements Action {
    @Override
    public String words() {
      return "start a run of " + worker + " without a dispatch";
    }

    @Override
    public Optional<RunId> about() {
      return Optional.empty();
    }
  }

  /** Change what becomes of a run: steer it, stop it, start it again, review it. */
  record Direct(RunId run, WorkerName worker, String how) implements Action {
    /** The how is a verb: steer, stop, review. */
    public static Direct of(Run run, String how) {
      return new Direct(run.id(), run.spec().worker(), how);
    }

    @Override
    public String words() {
      return how + " run " + run;
    }

    @Override
    public Optional<RunId> about() {
      return Optional.of(run);
    }
  }

  /** Answer what a run's agent asked. */
  record Answer(RunId run, WorkerName worker) implements Action {
    @Override
    public String words() {
      return "answer for run " + run;
    }

    @Override
    public Optional<RunId> about() {
      return Optional.of(run);
    }
  }

  /** Leave a message for a group. */
  record Tell(GroupName to) implements Action {
    @Override
    public String words() {
      return "send a message to " + to;
    }

    @Override
    public Optional<RunId> about() {
      return Optional.empty();
    }
  }

  /** Ask for something as if one were this group. */
  record SpeakAs(GroupName group) implements Action {
    @Override
    public String words() {
      return "speak as " + group;
    }

    @Override
    public Optional<RunId> about() {
      return Optional.empty();
    }
  }

  /** Run the house: end the hub, delete old runs. */
  record Keep(String how) implements Action {
    @Override
    public String words() {
      return how;
    }

    @Override
    public Optional<RunId> about() {
      return Optional.empty();
    }
  }
}
