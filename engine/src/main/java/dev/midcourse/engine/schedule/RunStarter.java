package dev.midcourse.engine.schedule;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.schedule.ScheduleTarget;
import dev.midcourse.core.steer.Author;

/** Makes the order for a run from the settings of a worker. */
@FunctionalInterface
public interface RunStarter {
  /** Refuses a worker, agent or folder that is not there. */
  RunSpec spec(RunId id, ScheduleTarget.OfWorker target, String prompt, Author author);
}
