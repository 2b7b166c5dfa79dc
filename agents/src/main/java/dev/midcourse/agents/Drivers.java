package dev.midcourse.agents;

import dev.midcourse.core.id.AgentName;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** The drivers of a hub, by the configured name of the agent. */
public record Drivers(SortedMap<AgentName, Driver> byName) {
  public Drivers {
    byName = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(byName));
  }

  public static Drivers of(Map<AgentName, Driver> drivers) {
    SortedMap<AgentName, Driver> sorted =
        new TreeMap<>((one, other) -> one.value().compareTo(other.value()));
    sorted.putAll(drivers);
    return new Drivers(sorted);
  }

  /** Returns a copy with one more driver. */
  public Drivers with(AgentName name, Driver driver) {
    Map<AgentName, Driver> more = new java.util.HashMap<>(byName);
    more.put(name, driver);
    return of(more);
  }

  /** Returns a copy in which {@code inFront} wraps each driver. */
  public Drivers each(UnaryOperator<Driver> inFront) {
    return each((_, driver) -> inFront.apply(driver));
  }

  /** Returns a copy in which {@code inFront} wraps each driver, by the name of its agent. */
  public Drivers each(BiFunction<AgentName, Driver, Driver> inFront) {
    Map<AgentName, Driver> others = new java.util.HashMap<>();
    byName.forEach((name, driver) -> others.put(name, inFront.apply(name, driver)));
    return of(others);
  }

  public Optional<Driver> named(AgentName name) {
    return Optional.ofNullable(byName.get(name));
  }
}
