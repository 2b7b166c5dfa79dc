package dev.midcourse.agents.hosted;

import dev.midcourse.agents.Order;
import dev.midcourse.agents.process.Mark;
import dev.midcourse.agents.sandbox.Sandbox;
import java.util.HashMap;
import java.util.Map;

/**
 * The environment of an agent, built from nothing: what every program needs, who it works for, what
 * its driver and its settings add. No variable of the hub gets in by itself, so no secret does.
 */
public final class Surroundings {
  public static final String RUN = "MIDCOURSE_RUN";
  public static final String ATTEMPT = "MIDCOURSE_ATTEMPT";

  private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

  private Surroundings() {}

  /** The settings win over the driver; nobody wins over whose work it is. */
  public static Map<String, String> of(Order order, Map<String, String> fromDriver) {
    Map<String, String> environment = new HashMap<>();
    environment.put("HOME", order.home().toString());
    environment.put("LANG", System.getenv().getOrDefault("LANG", "C.UTF-8"));
    environment.put("TERM", "dumb");
    switch (order.confinement().sandbox()) {
      case Sandbox.None _, Sandbox.Bubblewrap _ -> {
        environment.put("PATH", System.getenv().getOrDefault("PATH", USUAL_PATH));
        environment.put("TMPDIR", System.getProperty("java.io.tmpdir"));
        environment.putAll(fromDriver);
        environment.putAll(order.environment());
      }
      case Sandbox.Container _ -> {
        // An image knows where its programs are, and has nobody's home but the worker's.
        environment.putAll(fromDriver);
        environment.putAll(order.environment());
        environment.put("HOME", order.home().toString());
      }
    }
    environment.put(RUN, order.run().value());
    environment.put(ATTEMPT, Integer.toString(order.attempt()));
    // The mark is put in where the program is started, from the order alone.
    environment.remove(Mark.VARIABLE);
    return environment;
  }
}
