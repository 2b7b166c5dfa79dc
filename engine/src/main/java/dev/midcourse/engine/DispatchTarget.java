package dev.midcourse.engine;

import dev.midcourse.core.contract.DispatchRules;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.steer.PendingPolicy;
import java.nio.file.Path;

/**
 * The worker that gets a dispatch.
 *
 * @param workspace the folder with its clones of repositories
 * @param rules the rules of its team for a dispatch
 */
public record DispatchTarget(
    WorkerName worker,
    AgentName agent,
    Path workspace,
    PendingPolicy pending,
    int maxAttempts,
    DispatchRules rules) {}
