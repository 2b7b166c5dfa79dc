package dev.midcourse.engine.context;

import dev.midcourse.core.run.Limits;
import java.util.Optional;

/**
 * The limits for the runs of one agent.
 *
 * @param atOnce how many runs may be active at once; empty for the limit of the host
 * @param limits the limits of each run
 */
public record AgentQuota(Optional<Integer> atOnce, Limits limits) {
  public static final AgentQuota NONE = new AgentQuota(Optional.empty(), Limits.NONE);
}
