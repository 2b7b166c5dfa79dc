package dev.midcourse.agents.hosted;

import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.agents.sandbox.Sandbox;
import java.util.HashMap;
import java.util.Map;

/**
 * The environment of an agent, built from nothing: what every program needs, who it works for, what
 * its driver and its settings add. No variable of the hub gets in by itself, so no secret does.
 */
public final class AgentEnvironment {
  public static final String RUN = "MIDCOURSE_RUN";
  public static final String ATTEMPT = "MIDCOURSE_ATTEMPT";

  private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

  private AgentEnvironment() {}

  /** The settings win over the driver; nobody wins over whose work it is. */
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
        // An image knows where its programs are, and has nobody's home but the worker's.
        environment.putAll(fromDriver);
        environment.putAll(spec.environment());
        environment.put("HOME", spec.home().toString());
      }
    }
    environment.put(RUN, spec.run().value());
    environment.put(ATTEMPT, Integer.toString(spec.attempt()));
    // The mark is put in where the program is started, from the order alone.
    environment.remove(ProcessMarker.VARIABLE);
    return environment;
  }
}
