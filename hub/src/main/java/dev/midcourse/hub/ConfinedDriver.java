package dev.midcourse.hub;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Ear;
import dev.midcourse.agents.Finding;
import dev.midcourse.agents.Heard;
import dev.midcourse.agents.Order;
import dev.midcourse.agents.sandbox.Confinement;
import dev.midcourse.agents.sandbox.Sandbox;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.hub.crew.Crew;
import dev.midcourse.hub.crew.WorkerPlan;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Starts an agent as confined as its worker is to be. What is confidential is hidden in every
 * sandbox, whatever the settings say.
 */
record ConfinedDriver(Driver inner, Crew crew, List<Path> confidential) implements Driver {
  ConfinedDriver {
    confidential = List.copyOf(confidential);
  }

  @Override
  public Finding find() {
    return inner.find();
  }

  @Override
  public Agent start(Order order, Ear ear) {
    return inner.start(order.confined(confinement(order)), ear);
  }

  @Override
  public Agent attach(Order order, Heard.Place from, Ear ear) {
    return inner.attach(order, from, ear);
  }

  @Override
  public Optional<Set<String>> recorded(Order order, SessionId session, Set<String> passages) {
    return inner.recorded(order.confined(confinement(order)), session, passages);
  }

  private Confinement confinement(Order order) {
    Confinement asked =
        Optional.ofNullable(order.environment().get(Order.WORKER))
            .map(WorkerName::of)
            .flatMap(crew::plan)
            .map(WorkerPlan::confinement)
            .orElse(Confinement.NONE);
    return switch (asked.sandbox()) {
      case Sandbox.None _, Sandbox.Container _ -> asked;
      case Sandbox.Bubblewrap(boolean network, List<Path> writable, List<Path> hidden) ->
          asked.in(
              new Sandbox.Bubblewrap(
                  network,
                  writable,
                  Stream.concat(confidential.stream(), hidden.stream()).toList()));
    };
  }
}
