package dev.midcourse.gateway.driver;

import java.util.Map;
import java.util.function.Function;

/**
 * How an agent is told where its model is.
 *
 * @param upstream the address of the provider
 * @param variables the variables that tell the agent another address
 */
public record ModelAddress(String upstream, Function<String, Map<String, String>> variables) {
  /** The variable of Claude Code for the address of its provider. */
  public static final String CLAUDE = "ANTHROPIC_BASE_URL";

  private static final String CLAUDE_UPSTREAM = "https://api.anthropic.com";

  /**
   * The address of Claude Code. With the second variable it says in its requests what they are for.
   *
   * @param environment the variables that the agent gets without the gateway
   */
  public static ModelAddress ofClaude(Map<String, String> environment) {
    return new ModelAddress(
        environment.getOrDefault(CLAUDE, CLAUDE_UPSTREAM),
        address -> Map.of(CLAUDE, address, "CLAUDE_CODE_GATEWAY_HINT_HEADERS", "1"));
  }
}
