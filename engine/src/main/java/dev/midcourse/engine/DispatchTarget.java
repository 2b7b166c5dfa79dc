package dev.midcourse.engine;

import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.steer.PendingPolicy;
import java.nio.file.Path;

/**
 * A worker as far as a dispatch needs it.
 *
 * @param workspace where its clones of repositories are
 */
public record DispatchTarget(
    WorkerName worker, AgentName agent, Path workspace, PendingPolicy pending, int mostAttempts) {}
