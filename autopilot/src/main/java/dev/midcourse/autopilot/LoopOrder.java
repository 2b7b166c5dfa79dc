package dev.midcourse.autopilot;

import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.loop.LoopBudget;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.forge.ForgeOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * A loop that is to be created.
 *
 * @param repository the folder of a clone
 * @param base the branch at which the work begins; empty for the one that is checked out there
 * @param branch the branch of the work; empty for one that is named after the loop
 * @param ci a command for a shell
 * @param forge what the loop does at a forge; empty for a loop that needs none
 */
public record LoopOrder(
    String prompt,
    Path repository,
    Optional<BranchName> base,
    Optional<BranchName> branch,
    WorkerName worker,
    AgentName agent,
    LoopReviewer reviewer,
    Optional<String> ci,
    Duration reviewTimeout,
    Duration ciTimeout,
    LoopBudget budget,
    boolean land,
    Optional<ForgeOrder> forge) {}
