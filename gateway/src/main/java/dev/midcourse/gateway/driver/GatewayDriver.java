package dev.midcourse.gateway.driver;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AgentEventBatch.OutputCheckpoint;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.agents.hosted.MissingAgent;
import dev.midcourse.agents.process.os.DirectoryWatcher;
import dev.midcourse.agents.sandbox.Sandbox;
import dev.midcourse.core.agent.AgentEvent.Exited;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.gateway.process.GatewayProcess;
import dev.midcourse.gateway.record.AttemptKey;
import dev.midcourse.gateway.record.RouteFolder;
import dev.midcourse.gateway.record.RouteSpec;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Starts an agent behind the gateway, with a route of its own for each attempt, and adds the
 * evidence of the gateway to the agent's own events. The route ends with the agent. The secret of
 * the route is the mark of the attempt, which the processes of the agent have anyway, and which
 * each hub knows.
 *
 * <p>An agent in a container cannot reach the gateway, and starts without it.
 */
public record GatewayDriver(
    Driver inner,
    GatewayProcess gateway,
    RouteFolder routes,
    DirectoryWatcher folders,
    ModelAddress model)
    implements Driver {
  /** The file of the records, in the folder of the attempt. */
  public static final String RECORDS = "requests.jsonl";

  private static final System.Logger LOG = System.getLogger(GatewayDriver.class.getName());
  private static final int CANNOT_START = 127;

  @Override
  public ProgramLookup find() {
    return inner.find();
  }

  @Override
  public List<String> notes(AttemptSpec spec) {
    List<String> notes = new ArrayList<>(inner.notes(spec));
    notes.add(
        isReachable(spec)
            ? "Requests to the model pass the gateway."
            : "The agent runs in a container and reaches its model without the gateway; no steer"
                + " reaches the rung seen.");
    return notes;
  }

  private static boolean isReachable(AttemptSpec spec) {
    return switch (spec.confinement().sandbox()) {
      case Sandbox.None _, Sandbox.Bubblewrap _ -> true;
      case Sandbox.Container _ -> false;
    };
  }

  @Override
  public Agent start(AttemptSpec spec, AgentListener listener) {
    if (!isReachable(spec)) {
      return inner.start(spec, listener);
    }
    AttemptKey key = key(spec);
    String address = "http://127.0.0.1:" + gateway.port() + "/" + key.secret();
    try {
      routes.put(key, new RouteSpec(model.upstream(), records(spec)));
    } catch (IOException | IllegalArgumentException failure) {
      String why = "the route of the gateway cannot be made: " + failure.getMessage();
      return new MissingAgent(new Exited(CANNOT_START, why), OutputCheckpoint.START, listener);
    }
    SeenListener seen = listener(spec, OutputCheckpoint.START, listener);
    AttemptSpec routed = spec.withEnvironment(model.variables().apply(address));
    return followed(spec, seen, inner.start(routed, seen));
  }

  @Override
  public Agent attach(
      AttemptSpec spec, AgentEventBatch.OutputCheckpoint from, AgentListener listener) {
    if (!isReachable(spec)) {
      return inner.attach(spec, from, listener);
    }
    SeenListener seen = listener(spec, from, listener);
    return followed(spec, seen, inner.attach(spec, from, seen));
  }

  private SeenListener listener(AttemptSpec spec, OutputCheckpoint from, AgentListener next) {
    return SeenListener.start(next, records(spec), from, () -> fence(spec), SeenListener.MAX_WAIT);
  }

  private Agent followed(AttemptSpec spec, SeenListener seen, Agent agent) {
    if (!Files.isDirectory(spec.folder())) {
      return new FollowedAgent(agent, seen, () -> {});
    }
    DirectoryWatcher.Registration registration =
        folders.register(
            spec.folder(),
            file -> {
              if (file.isEmpty() || file.get().equals(RECORDS)) {
                seen.changed();
              }
            });
    seen.changed();
    return new FollowedAgent(agent, seen, registration);
  }

  private void fence(AttemptSpec spec) {
    try {
      routes.remove(key(spec));
    } catch (IOException failure) {
      LOG.log(
          Level.WARNING,
          "The route of run {0}, attempt {1}, could not be removed ({2}). Nobody uses it any more.",
          spec.run(),
          spec.attempt(),
          failure.getMessage());
    }
  }

  private static AttemptKey key(AttemptSpec spec) {
    return new AttemptKey(spec.mark());
  }

  private static Path records(AttemptSpec spec) {
    return spec.folder().resolve(RECORDS);
  }

  @Override
  public Optional<Set<String>> recorded(AttemptSpec spec, SessionId session, Set<String> passages) {
    return inner.recorded(spec, session, passages);
  }
}
