package dev.midcourse.core.loop.queue;

import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.loop.CiVerdict;
import dev.midcourse.core.loop.finding.ReportedFinding;
import java.util.List;

/** Something that happened, and to which a merge queue reacts. */
public sealed interface QueueFact {

  /** A loop is clean and is to land. */
  record Joined(QueueEntry entry) implements QueueFact {}

  /** A loop no longer waits to land: it was stopped, paused, or works again. */
  record Left(LoopId loop) implements QueueFact {}

  /**
   * The merge of a trial was made.
   *
   * @param base the commit of the base
   * @param result the merge; equal to the base if it has all members already
   * @param members the first members of the trial that could be merged; at least one
   */
  record Merged(int trial, String base, String result, List<LoopId> members) implements QueueFact {
    public Merged {
      members = List.copyOf(members);
    }
  }

  /** The first member of a trial conflicts with the base. */
  record Conflicted(int trial, List<String> files) implements QueueFact {
    public Conflicted {
      files = List.copyOf(files);
    }
  }

  /** The test of a trial has ended. A red verdict has at least one finding. */
  record Tested(int trial, CiVerdict verdict, List<ReportedFinding> findings) implements QueueFact {
    public Tested {
      findings = List.copyOf(findings);
    }
  }

  /** The base has the result of the trial. */
  record Landed(int trial, String commit) implements QueueFact {}

  /** The base is no longer the commit onto which the trial was merged. */
  record BaseMoved(int trial) implements QueueFact {}

  /** A person has to do something before the members of the trial can land. */
  record Blocked(int trial, String why) implements QueueFact {}

  /** The time that {@link MergeQueue#nextDue} named may have passed. */
  record TimePassed() implements QueueFact {}
}
