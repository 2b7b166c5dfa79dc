package dev.midcourse.engine.conversation.context;

import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.steer.PendingPolicy;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How the runs of a worker's conversations are started.
 *
 * @param folder the folder in which all conversations of the worker work; without it each
 *     conversation has its own
 */
public record WorkerPlan(
    WorkerName worker,
    AgentName agent,
    Optional<Path> folder,
    PendingPolicy pending,
    int maxAttempts) {}
