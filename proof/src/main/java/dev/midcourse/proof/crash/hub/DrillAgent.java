package dev.midcourse.proof.crash.hub;

import dev.midcourse.agents.Driver;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.rehearsal.RehearsalDriver;
import dev.midcourse.core.id.AgentName;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The kinds of agents in a drill. */
public enum DrillAgent {
  /** A repeated message has no second effect, so that a hub in doubt may send it again. */
  REHEARSAL,

  /** Takes a repeated message as a new one. Its record shows the messages that it took. */
  FORGETFUL,

  /** Like FORGETFUL, without a readable record. */
  UNRECORDED;

  private Driver driver(ProcessHost host) {
    return switch (this) {
      case REHEARSAL -> new RehearsalDriver(host);
      case FORGETFUL -> RehearsalDriver.forgetful(host);
      case UNRECORDED -> withoutRecord(RehearsalDriver.forgetful(host));
    };
  }

  /** Returns whether a repeated message has a second effect. */
  public boolean takesAgain() {
    return this != REHEARSAL;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static DrillAgent of(AgentName name) {
    return Arrays.stream(values())
        .filter(agent -> agent.word().equals(name.value()))
        .findFirst()
        .orElseThrow();
  }

  static Map<AgentName, Driver> drivers(ProcessHost host, Function<Driver, Driver> each) {
    return Arrays.stream(values())
        .collect(
            Collectors.toMap(
                agent -> AgentName.of(agent.word()), agent -> each.apply(agent.driver(host))));
  }

  private static Driver withoutRecord(Driver driver) {
    return ObservedProxy.of(
        Driver.class,
        driver,
        new ObservedProxy.CallObserver() {
          @Override
          public Object after(String method, Object result) {
            return method.equals("recorded") ? Optional.empty() : result;
          }
        });
  }
}
