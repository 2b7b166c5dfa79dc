package dev.midcourse.hub;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.engine.Bounds;

/**
 * An agent as the settings file has it.
 *
 * @param settings how it is to be run
 * @param bounds what runs with it are held to
 */
public record AgentPlan(AgentSettings settings, Bounds bounds) {}
