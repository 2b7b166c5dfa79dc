package dev.midcourse.hub.settings;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AgentSettings.Gateway;
import dev.midcourse.agents.AgentSettings.Home;
import dev.midcourse.agents.AgentSettings.Permissions;
import dev.midcourse.agents.AgentSettings.PromptBy;
import dev.midcourse.agents.catalogue.AgentCatalogue;
import dev.midcourse.autopilot.CiAgent;
import dev.midcourse.core.Problem;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.engine.context.AgentQuota;
import dev.midcourse.hub.settings.HubSettings.AgentConfig;
import dev.midcourse.hub.settings.toml.ConfigSection;
import dev.midcourse.hub.settings.worker.LimitsSection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The tables {@code [agents.NAME]} of the settings file: program and settings of each agent. */
final class AgentsSection {
  private static final int MAX_AT_ONCE = 1_000_000;

  private AgentsSection() {}

  static Map<AgentName, AgentConfig> read(ConfigSection agents) {
    Map<AgentName, AgentConfig> plans = new LinkedHashMap<>();
    agents
        .sectionByName()
        .forEach((key, agent) -> {
          AgentName name = agents.held(key, () -> AgentName.of(key));
          AgentConfig written = one(agent);
          agents.held(key, () -> AgentCatalogue.checked(notReserved(name), written.settings()));
          plans.put(name, written);
        });
    return plans;
  }

  private static AgentName notReserved(AgentName name) {
    if (name.equals(CiAgent.NAME)) {
      throw Problem.invalid(
              "agents",
              "another name than " + CiAgent.NAME,
              "the name " + CiAgent.NAME + " is taken by the commands of autopilot loops")
          .refused();
    }
    return name;
  }

  private static AgentConfig one(ConfigSection agent) {
    AgentSettings defaults = AgentSettings.defaults();
    AgentSettings settings =
        new AgentSettings(
            agent.text("driver", AgentCatalogue::kind),
            agent.text("command"),
            agent.texts("arguments").orElseGet(List::of),
            agent.text("model"),
            agent.textByName("environment"),
            Set.copyOf(agent.texts("inherit").orElseGet(List::of)),
            agent.oneOf("home", Home.class).orElse(defaults.home()),
            agent.oneOf("permissions", Permissions.class).orElse(defaults.permissions()),
            agent.texts("blocked_tools").map(LinkedHashSet::new),
            agent.oneOf("prompt", PromptBy.class),
            agent.oneOf("gateway", Gateway.class).orElse(defaults.gateway()));
    AgentQuota bounds =
        new AgentQuota(agent.number("at_once", 1, MAX_AT_ONCE), LimitsSection.of(agent));
    agent.noMore();
    return new AgentConfig(settings, bounds);
  }
}
