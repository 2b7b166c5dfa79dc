package dev.midcourse.proof.agents;

import dev.midcourse.proof.model.Lane;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Configures pi by a models file in its agent folder: an Anthropic Messages provider with prices.
 */
public final class PiHome {
  private PiHome() {}

  public static AgentHome create(AgentPrograms programs, Path folder, Lane lane) {
    return AgentHome.of(programs, "pi", folder)
        .with(Map.of("PI_CODING_AGENT_DIR", folder.resolve("pi").toString(), "PI_OFFLINE", "1"))
        .withFile(
            "pi/models.json",
            """
            {
              "providers": {
                "scripted": {
                  "baseUrl": "%2$s",
                  "api": "anthropic-messages",
                  "apiKey": "%3$s",
                  "models": [
                    {
                      "id": "%1$s",
                      "name": "%1$s",
                      "contextWindow": 200000,
                      "maxTokens": 8000,
                      "cost": {"input": 1, "output": 2, "cacheRead": 0, "cacheWrite": 0}
                    }
                  ]
                }
              }
            }
            """
                .formatted(AgentHome.MODEL, lane.url(), AgentHome.KEY));
  }

  /** Returns the arguments that select the scripted model, in any mode. */
  public static List<String> modelArguments() {
    return List.of("--provider", "scripted", "--model", AgentHome.MODEL);
  }

  /** Returns the command for one prompt, with the last text on standard output. */
  public static List<String> oneShot(AgentHome home, String prompt) {
    var command = new ArrayList<>(List.of(home.program().toString(), "-p", prompt));
    command.addAll(modelArguments());
    return command;
  }
}
