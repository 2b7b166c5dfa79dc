package dev.midcourse.hub.schedule;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.schedule.ScheduleTarget;
import dev.midcourse.core.steer.Author;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.engine.schedule.RunStarter;
import dev.midcourse.hub.api.json.Requests.RunRequest;
import dev.midcourse.hub.api.operation.RunOperations;
import java.util.Optional;

/** Makes the runs of schedules as the hub makes a run that a person starts. */
public record WorkerRunStarter(RunOperations runs) implements RunStarter {
  @Override
  public RunSpec spec(RunId id, ScheduleTarget.OfWorker target, String prompt, Author author) {
    Optional<WorkerName> worker =
        Optional.of(target.worker()).filter(name -> !name.equals(EngineSettings.ANY_WORKER));
    RunRequest request =
        new RunRequest(
            prompt,
            target.agent(),
            worker,
            Optional.empty(),
            target.dir(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    return runs.plan(id, request, author).spec();
  }
}
