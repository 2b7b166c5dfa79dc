package dev.midcourse.core.loop.queue;

import dev.midcourse.core.id.RunId;

/** What is to be done after a step of a queue. Each act can be repeated. */
public sealed interface QueueAct {
  /** Merges the members of the trial, one after the other, onto the base. */
  record Merge(int trial) implements QueueAct {}

  /** Tests the result of the merge. */
  record Test(int trial) implements QueueAct {}

  /** Moves the base to the result that was tested, if the base is still the same. */
  record Land(int trial) implements QueueAct {}

  /** Ends the test of a trial that is given up. */
  record EndTest(RunId run) implements QueueAct {}
}
