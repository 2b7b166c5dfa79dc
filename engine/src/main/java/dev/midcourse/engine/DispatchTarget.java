package dev.midcourse.engine;

import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.steer.PendingPolicy;
import java.nio.file.Path;

/**
 * The worker that gets a dispatch.
 *
 * @param workspace the folder with its clones of repositories
 */
public record DispatchTarget(
    WorkerName worker, AgentName agent, Path workspace, PendingPolicy pending, int mostAttempts) {}
