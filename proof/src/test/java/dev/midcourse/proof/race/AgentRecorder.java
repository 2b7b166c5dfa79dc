package dev.midcourse.proof.race;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Driver;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerFrame;
import dev.midcourse.proof.crash.hub.ObservedProxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Wraps the drivers of the engine and records the messages that each agent reports to have taken.
 */
final class AgentRecorder {
  private final Map<RunId, List<String>> taken = new ConcurrentHashMap<>();
  private final Map<RunId, AtomicInteger> live = new ConcurrentHashMap<>();
  private final List<String> twoAtOnce = new CopyOnWriteArrayList<>();

  Driver before(Driver driver) {
    return ObservedProxy.of(Driver.class, driver, new AtTheDriver());
  }

  /** Returns how often the run's session contains the steer. */
  long times(Steer steer) {
    return passages(steer.run()).stream()
        .filter(it -> it.contains(SteerFrame.head(steer.id())))
        .count();
  }

  /** Returns whether the session contains the steer with this text. */
  boolean says(Steer steer) {
    return passages(steer.run()).stream()
        .filter(it -> it.contains(SteerFrame.head(steer.id())))
        .allMatch(it -> it.contains(steer.text().value()));
  }

  /** Returns the runs with two agents alive at the same time. */
  List<String> twoAtOnce() {
    return twoAtOnce;
  }

  private List<String> passages(RunId run) {
    return taken.getOrDefault(run, List.of());
  }

  private void take(RunId run, String passage) {
    taken.computeIfAbsent(run, _ -> new CopyOnWriteArrayList<>()).add(passage);
  }

  private final class AtTheDriver implements ObservedProxy.CallObserver {
    private static final ThreadLocal<OfOneAgent> NEXT = new ThreadLocal<>();

    @Override
    public void before(String method, Object[] given) {
      if (!method.equals("start") && !method.equals("attach")) {
        return;
      }
      RunId run = ((AttemptSpec) given[0]).run();
      OfOneAgent agent = new OfOneAgent(run);
      if (method.equals("start")
          && live.computeIfAbsent(run, _ -> new AtomicInteger()).incrementAndGet() > 1) {
        twoAtOnce.add(run + " in attempt " + ((AttemptSpec) given[0]).attempt());
      }
      NEXT.set(agent);
      AgentListener listener = (AgentListener) given[given.length - 1];
      given[given.length - 1] =
          (AgentListener)
              batch -> {
                batch.events().forEach(agent::record);
                listener.onEvents(batch);
              };
    }

    @Override
    public Object after(String method, Object result) {
      return result instanceof Agent agent
          ? ObservedProxy.of(Agent.class, agent, NEXT.get())
          : result;
    }
  }

  /** The messages to one agent, and the messages that it reports to have taken. */
  private final class OfOneAgent implements ObservedProxy.CallObserver {
    private final RunId run;
    private final Map<Integer, String> openings = new ConcurrentHashMap<>();
    private final Map<SteerId, String> steers = new ConcurrentHashMap<>();

    OfOneAgent(RunId run) {
      this.run = run;
    }

    @Override
    public void before(String method, Object[] given) {
      if (method.equals("prompt")) {
        openings.put((Integer) given[0], (String) given[1]);
      } else if (method.equals("steer")) {
        steers.put((SteerId) given[0], (String) given[1]);
      }
    }

    void record(AgentEvent event) {
      if (event instanceof AgentEvent.SteerInjected(SteerId steer, _)) {
        String words = steers.get(steer);
        if (words != null) {
          take(run, words);
        }
      } else if (event instanceof AgentEvent.PromptInjected(int turn, _)) {
        take(run, openings.getOrDefault(turn, ""));
      } else if (event instanceof AgentEvent.Exited) {
        live.computeIfAbsent(run, _ -> new AtomicInteger(1)).decrementAndGet();
      }
    }
  }
}
