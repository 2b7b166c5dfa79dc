package dev.midcourse.engine.attempt;

import dev.midcourse.agents.Agent;
import dev.midcourse.engine.context.EngineSettings;

/**
 * The objects that all parts of one attempt share. Only the thread of the supervisor uses them,
 * except the mailbox.
 *
 * @param unitOfWork the run as this supervisor knows it, and the changes that are not committed yet
 * @param committer commits the work without waiting
 */
public record AttemptContext(
    AttemptUnitOfWork unitOfWork,
    AttemptState state,
    Agent agent,
    EngineSettings settings,
    SupervisorMailbox mailbox,
    BoundedCommitter committer) {}
