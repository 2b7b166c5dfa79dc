package dev.midcourse.engine;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.RunSpec;
import java.util.Optional;

/** A request for a run. Without an id, the engine makes one. */
public record NewRun(Optional<RunId> id, RunSpec spec) {}
