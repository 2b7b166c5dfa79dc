package dev.midcourse.hub.settings;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.engine.context.AgentQuota;

/**
 * An agent as the settings file has it.
 *
 * @param settings how it is to be run
 * @param bounds what runs with it are held to
 */
public record AgentConfig(AgentSettings settings, AgentQuota bounds) {}
