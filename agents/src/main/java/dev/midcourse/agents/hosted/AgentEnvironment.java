package dev.midcourse.agents.hosted;

import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.agents.sandbox.Sandbox;
import java.util.HashMap;
import java.util.Map;

/**
 * Builds the environment of an agent: the variables that every program needs, the ids of the run
 * and the attempt, and the variables of the driver and the settings. No other variable of the hub
 * is inherited, so no secret is.
 */
public final class AgentEnvironment {
  public static final String RUN = "MIDCOURSE_RUN";
  public static final String ATTEMPT = "MIDCOURSE_ATTEMPT";

  private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

  private AgentEnvironment() {}

  /**
   * The settings replace variables of the driver. Neither can replace the ids of the run and the
   * attempt.
   */
  public static Map<String, String> of(AttemptSpec spec, Map<String, String> fromDriver) {
    Map<String, String> environment = new HashMap<>();
    environment.put("HOME", spec.home().toString());
    environment.putAll(HubEnvironment.ofThisProcess().utf8Locale());
    environment.put("TERM", "dumb");
    switch (spec.confinement().sandbox()) {
      case Sandbox.None _, Sandbox.Bubblewrap _ -> {
        environment.put("PATH", System.getenv().getOrDefault("PATH", DEFAULT_PATH));
        environment.put("TMPDIR", System.getProperty("java.io.tmpdir"));
        environment.putAll(fromDriver);
        environment.putAll(spec.environment());
      }
      case Sandbox.Container _ -> {
        // An image has its own search path. The only home folder in it is the worker's.
        environment.putAll(fromDriver);
        environment.putAll(spec.environment());
        environment.put("HOME", spec.home().toString());
      }
    }
    environment.put(RUN, spec.run().value());
    environment.put(ATTEMPT, Integer.toString(spec.attempt()));
    // The start of the program sets the mark, from the attempt alone.
    environment.remove(ProcessMarker.VARIABLE);
    return environment;
  }
}
