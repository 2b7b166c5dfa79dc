package dev.midcourse.engine.context;

import dev.midcourse.core.run.Limits;
import java.util.Optional;

/**
 * What runs with one agent are held to.
 *
 * @param atOnce how many may run at once; without it as many as the host takes
 * @param limits what each of them may take
 */
public record AgentQuota(Optional<Integer> atOnce, Limits limits) {
  public static final AgentQuota NONE = new AgentQuota(Optional.empty(), Limits.NONE);
}
