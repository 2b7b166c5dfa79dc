package dev.midcourse.hub.api.lookup;

import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.id.AgentName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Selects the agent of a run if the request names none. Looking for a program takes time, so the
 * result is cached for a minute.
 */
public final class AgentSelector {
  private static final AgentName REHEARSAL = AgentName.of("rehearsal");
  private static final Duration REMEMBERED = Duration.ofMinutes(1);

  private final Drivers drivers;
  private final Optional<AgentName> preferred;
  private final InstantSource clock;
  private final Map<AgentName, CachedLookup> looks = new ConcurrentHashMap<>();

  private record CachedLookup(ProgramLookup finding, Instant at) {}

  /** The selected agent, and the reason if the request named none. */
  public record Choice(AgentName agent, Optional<String> note) {}

  /** An agent and the result of looking for its program. */
  public record Known(AgentName name, ProgramLookup finding) {}

  public AgentSelector(Drivers drivers, Optional<AgentName> preferred, InstantSource clock) {
    this.drivers = drivers;
    this.preferred = preferred;
    this.clock = clock;
  }

  public List<Known> all() {
    return drivers.byName().entrySet().stream()
        .map(entry -> new Known(entry.getKey(), find(entry.getKey(), entry.getValue())))
        .toList();
  }

  public Choice choose(Optional<AgentName> named) {
    if (named.isPresent()) {
      return new Choice(here(named.get(), "agent"), Optional.empty());
    }
    if (preferred.isPresent()) {
      return new Choice(here(preferred.get(), "default_agent"), Optional.empty());
    }
    Optional<AgentName> first =
        all().stream()
            .filter(known -> known.finding() instanceof ProgramLookup.Found)
            .map(Known::name)
            .filter(name -> !name.equals(REHEARSAL))
            .findFirst();
    return first
        .map(name -> new Choice(name, Optional.of(name + " is the first agent found here")))
        .orElseGet(() ->
            new Choice(
                here(REHEARSAL, "agent"),
                Optional.of("no coding agent was found, so this is the rehearsal agent")));
  }

  /**
   * Selects the agent of a worker whose programs are in an image: they need not be on this machine.
   */
  public Choice chooseInImage(Optional<AgentName> named) {
    Optional<AgentName> meant = named.or(() -> preferred);
    meant.ifPresent(name -> known(name, named.isPresent() ? "agent" : "default_agent"));
    return meant
        .map(name -> new Choice(name, Optional.empty()))
        .orElseGet(() -> choose(Optional.empty()));
  }

  private Driver known(AgentName name, String field) {
    return drivers
        .named(name)
        .orElseThrow(() ->
            Problem.invalid(field, "one of: " + names(), "agent " + name + " not found").refused());
  }

  /** Returns the name if its program is on this machine. */
  private AgentName here(AgentName name, String field) {
    return switch (find(name, known(name, field))) {
      case ProgramLookup.Found _ -> name;
      case ProgramLookup.Broken(String program, String why, String hint) ->
          throw Problem.of(
                  Code.UNSUPPORTED,
                  field,
                  "an agent that works",
                  name + " does not work (" + program + "): " + why + "; install it again: " + hint)
              .refused();
      case ProgramLookup.Missing(String lookedFor, String hint) ->
          throw Problem.of(
                  Code.UNSUPPORTED,
                  field,
                  "an agent that is installed",
                  name + " is not installed (looked for " + lookedFor + "): " + hint)
              .refused();
    };
  }

  private String names() {
    return drivers.byName().keySet().stream()
        .map(AgentName::value)
        .collect(Collectors.joining(", "));
  }

  private ProgramLookup find(AgentName name, Driver driver) {
    Instant now = clock.instant();
    CachedLookup known = looks.get(name);
    if (known != null && now.isBefore(known.at().plus(REMEMBERED))) {
      return known.finding();
    }
    ProgramLookup found = driver.find();
    looks.put(name, new CachedLookup(found, now));
    return found;
  }
}
