package dev.midcourse.hub.boot;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.agents.ToolServer;
import dev.midcourse.agents.sandbox.Sandbox;
import dev.midcourse.agents.sandbox.SandboxSpec;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.hub.settings.worker.WorkerConfig;
import dev.midcourse.hub.settings.worker.WorkerRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Starts an agent in the sandbox of its worker. Every sandbox hides the data folder, whatever the
 * settings say. The agent of a conversation gets the tools of the hub, if it can reach the hub.
 *
 * @param names the names of the agent: its driver and its program
 * @param tools the program that offers the tools of the hub
 */
public record SandboxedDriver(
    Driver inner,
    WorkerRegistry workers,
    HiddenPaths hidden,
    List<String> names,
    Optional<ToolServer> tools)
    implements Driver {
  public SandboxedDriver {
    names = List.copyOf(names);
  }

  @Override
  public ProgramLookup find() {
    return inner.find();
  }

  @Override
  public List<String> notes(AttemptSpec spec) {
    SandboxSpec confinement = confinement(spec);
    List<String> notes = new ArrayList<>(SandboxNotes.of(confinement));
    if (spec.conversation()) {
      ToolServers.obstacle(confinement.sandbox(), tools).ifPresent(notes::add);
    }
    return notes;
  }

  @Override
  public Agent start(AttemptSpec spec, AgentListener listener) {
    return inner.start(prepared(spec), listener);
  }

  @Override
  public Agent attach(
      AttemptSpec spec, AgentEventBatch.OutputCheckpoint from, AgentListener listener) {
    return inner.attach(prepared(spec), from, listener);
  }

  @Override
  public Optional<Set<String>> recorded(AttemptSpec spec, SessionId session, Set<String> passages) {
    return inner.recorded(prepared(spec), session, passages);
  }

  private AttemptSpec prepared(AttemptSpec spec) {
    SandboxSpec confinement = confinement(spec);
    boolean gets =
        spec.conversation() && ToolServers.obstacle(confinement.sandbox(), tools).isEmpty();
    return spec.confined(confinement).withTools(tools.filter(_ -> gets));
  }

  private SandboxSpec confinement(AttemptSpec spec) {
    SandboxSpec asked =
        Optional.ofNullable(spec.environment().get(AttemptSpec.WORKER))
            .map(WorkerName::of)
            .flatMap(workers::plan)
            .map(WorkerConfig::confinement)
            .orElse(SandboxSpec.NONE);
    return switch (asked.sandbox()) {
      case Sandbox.None _ -> asked;
      case Sandbox.Container worker -> asked.in(worker.hiding(List.of(hidden.data())));
      case Sandbox.Bubblewrap worker -> asked.in(hidden.from(worker, names));
    };
  }
}
