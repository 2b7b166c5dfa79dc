package dev.midcourse.proof.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.catalogue.AgentCatalogue;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerIntake;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.engine.Engine;
import dev.midcourse.engine.EngineSettings;
import dev.midcourse.engine.NewRun;
import dev.midcourse.hub.Hub;
import dev.midcourse.hub.HubSettings;
import dev.midcourse.ledger.Log;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An agent that writes more than anybody can hold in memory harms itself only. {@code
 * -Dmidcourse.flood=20000000} takes less than a gigabyte, and ten of them work as well: the agent
 * is then ended if it gets too far ahead of its reader.
 */
@Tag("long")
class FloodTest {
  private static final Author PERSON = Author.person("flood");
  private static final long BYTES = Long.getLong("midcourse.flood", 1_000_000_000);
  private static final long MOST_AHEAD = 1L << 30;
  private static final int MOST_EVENTS = 100_000;
  private static final String FLOOD =
      "yes 'a line of an agent that does not know when to end' | head -c " + BYTES;

  @Test
  void an_agent_that_writes_a_gigabyte_delays_nobodys_steer(@TempDir Path data) throws Exception {
    AgentSettings flooding =
        AgentSettings.usual()
            .withDriver("command")
            .withCommand("/bin/sh")
            .withArguments(List.of("-c", FLOOD, "program"))
            .withHome(AgentSettings.Home.OWN);
    Map<AgentName, AgentSettings> agents = Map.of(AgentName.of("command"), flooding);
    try (Hub hub =
        Hub.start(
            HubSettings.in(data).withPort(0),
            host -> new AgentCatalogue(host, HubEnvironment.ofThisProcess()).drivers(agents))) {
      Engine engine = hub.engine();
      RunId other = run(engine, "rehearsal", "$ sleep 600", data);
      RunId flood = run(engine, "command", "Begin.", data);
      try {
        int steers = steerWhile(engine, other, flood);
        Run ended = engine.ledger().read(r -> r.run(flood)).orElseThrow();
        List<Log.Logged> log =
            engine.ledger().log().after(0, Log.Filter.of(flood), 2 * MOST_EVENTS).entries();
        System.out.printf(
            "the flood of %d bytes ended as %s with %d events, beside %d steers%n",
            BYTES, ended.state(), log.size(), steers);
        assertThat(ended.state()).isEqualTo(BYTES < MOST_AHEAD ? RunState.DONE : ended.state());
        assertThat(ended.result().orElse("").length()).isLessThan(200_000);
        assertThat(log).hasSizeLessThan(MOST_EVENTS);
      } finally {
        end(engine, other);
        end(engine, flood);
      }
    }
  }

  /** Steers one run as long as the other lives, though not more than a run may have open. */
  private static int steerWhile(Engine engine, RunId steered, RunId flood) throws Exception {
    int steers = 0;
    while (isLive(engine, flood) || steers < 3) {
      if (steers == SteerIntake.MOST_OPEN) {
        engine.runs().awaitEnd(flood, Duration.ofMinutes(10));
        break;
      }
      Receipt stored = engine.steering().submit(SteerRequest.steer(steered, PERSON, "x")).receipt();
      Receipt told =
          engine.steering().await(stored.steerId(), Rung.ACCEPTED, Duration.ofMinutes(1));
      assertThat(told.settledAt(Rung.ACCEPTED)).as("%s", told).isTrue();
      steers++;
    }
    return steers;
  }

  private static void end(Engine engine, RunId run) throws InterruptedException {
    if (isLive(engine, run)) {
      engine.runs().stop(run, PERSON);
      assertThat(engine.runs().awaitEnd(run, Duration.ofMinutes(1)).state().live()).isFalse();
    }
  }

  private static boolean isLive(Engine engine, RunId run) {
    return engine.ledger().read(r -> r.run(run)).orElseThrow().state().live();
  }

  private static RunId run(Engine engine, String agent, String prompt, Path data) {
    RunSpec spec =
        new RunSpec(
            prompt,
            AgentName.of(agent),
            EngineSettings.ANY_WORKER,
            data.toString(),
            PERSON,
            PendingPolicy.ALL,
            1,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    return engine.runs().create(new NewRun(Optional.empty(), spec)).id();
  }
}
