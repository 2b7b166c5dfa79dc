package dev.midcourse.engine;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.RunSpec;
import java.util.Optional;

/** A run that is asked for, under a name of the asker's or one we make. */
public record NewRun(Optional<RunId> id, RunSpec spec) {}
