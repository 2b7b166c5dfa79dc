package dev.midcourse.proof.soak;

import static java.nio.charset.StandardCharsets.UTF_8;
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
import dev.midcourse.engine.NewRun;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.hub.Hub;
import dev.midcourse.hub.settings.HubSettings;
import dev.midcourse.ledger.Log;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent that writes more than memory or disk can hold harms only itself. */
class FloodTest {
  private static final Author PERSON = Author.person("flood");
  private static final long MUCH = 10_000_000_000L;
  private static final long MAX_AHEAD = 1L << 30;

  /** More than an agent may have on disk if it waits for us. */
  private static final long MORE_THAN_IS_KEPT = 800_000_000L;

  private static final long MORE_THAN_MAY_BE_AHEAD = 3 * MAX_AHEAD;

  /** Of two hundred million lines: some at once, and some more with every second that it takes. */
  private static final int MAX_EVENTS = 300_000;

  private static final Duration LOOK = Duration.ofMillis(200);
  private static final String LINE = "a line of an agent that does not know when to end";
  @TempDir Path data;

  /** Seen to fail when the space of read output is not released. */
  @Test
  @Tag("slow")
  void an_agent_that_waits_for_us_is_read_to_its_end_and_takes_little_of_the_disk()
      throws Exception {
    readToItsEnd(MORE_THAN_IS_KEPT);
  }

  @Test
  @Tag("long")
  void an_agent_that_writes_ten_gigabytes_is_read_to_its_end_and_takes_little_of_the_disk()
      throws Exception {
    readToItsEnd(MUCH);
  }

  /** Seen to fail when the unread amount of output is not checked. */
  @Test
  @Tag("slow")
  void an_agent_that_writes_faster_than_its_output_is_read_is_ended() throws Exception {
    endedIfTooFarAhead(MORE_THAN_MAY_BE_AHEAD);
  }

  @Test
  @Tag("long")
  void an_agent_that_writes_ten_gigabytes_faster_than_they_are_read_is_ended() throws Exception {
    endedIfTooFarAhead(MUCH);
  }

  /**
   * It writes 16 MiB and goes on when its output takes less than 256 MiB of the disk, or when it
   * has waited for that in vain for a minute or two.
   */
  private void readToItsEnd(long bytes) throws Exception {
    String inPieces =
        """
        left=%d looks=2000
        while [ "$left" -gt 0 ]; do
          piece=$((left < 16777216 ? left : 16777216))
          yes '%s' | head -c "$piece"
          left=$((left - piece))
          look=0
          while [ "$look" -lt "$looks" ] && [ "$(stat -Lc %%b /proc/$$/fd/1)" -gt 524288 ]; do
            sleep 0.05
            look=$((look + 1))
          done
          [ "$look" -lt "$looks" ] || looks=0
        done
        """
            .formatted(bytes, LINE);
    assertThat(flooded(inPieces, MAX_AHEAD / 2).state()).isEqualTo(RunState.DONE);
  }

  /**
   * It writes in pieces of 64 MiB, and waits while its output takes more than 1.5 GiB of the disk,
   * so that a slow hub has the time to end it. A machine that reads as fast as it writes is a good
   * one too.
   */
  private void endedIfTooFarAhead(long bytes) throws Exception {
    String inPieces =
        """
        left=%d
        while [ "$left" -gt 0 ]; do
          piece=$((left < 67108864 ? left : 67108864))
          yes '%s' | head -c "$piece"
          left=$((left - piece))
          while [ "$(stat -Lc %%b /proc/$$/fd/1)" -gt 3145728 ]; do sleep 0.05; done
        done
        """
            .formatted(bytes, LINE);
    Run ended = flooded(inPieces, 2 * MAX_AHEAD);
    if (ended.state() != RunState.DONE) {
      assertThat(ended.state()).isEqualTo(RunState.FAILED);
      assertThat(ended.result().orElse("")).contains("more than could be read");
    }
  }

  /** No steer waits for such an agent, and only a part of its output is kept. */
  private Run flooded(String program, long mostOnDisk) throws Exception {
    AgentSettings flooding =
        AgentSettings.defaults()
            .withDriver("command")
            .withCommand("/bin/sh")
            .withArguments(List.of("-c", program, "program"))
            .withHome(AgentSettings.Home.OWN);
    Map<AgentName, AgentSettings> agents = Map.of(AgentName.of("command"), flooding);
    try (Hub hub =
        Hub.start(
            HubSettings.in(data).withPort(0),
            host -> new AgentCatalogue(host, HubEnvironment.ofThisProcess()).drivers(agents))) {
      Engine engine = hub.engine();
      RunId other = run(engine, "rehearsal", "$ sleep 7200", data);
      RunId flood = run(engine, "command", "Begin.", data);
      try {
        int steers = steerWhile(engine, other, flood, mostOnDisk);
        Run ended = engine.ledger().read(r -> r.run(flood)).orElseThrow();
        List<Log.LogEntry> log =
            engine.ledger().log().after(0, Log.Filter.of(flood), MAX_EVENTS).entries();
        System.out.printf(
            "the flood ended as %s with %d events, beside %d steers%n",
            ended.state(), log.size(), steers);
        assertThat(ended.result().orElse("").length()).isLessThan(200_000);
        assertThat(log).hasSizeLessThan(MAX_EVENTS);
        return ended;
      } finally {
        end(engine, other);
        end(engine, flood);
      }
    }
  }

  /** Steers one run as long as the other lives, though not more than a run may have open. */
  private int steerWhile(Engine engine, RunId steered, RunId flood, long mostOnDisk)
      throws Exception {
    int steers = 0;
    while (isLive(engine, flood) || steers < 3) {
      if (steers < SteerIntake.MAX_OPEN) {
        SteerRequest request = SteerRequest.steer("x");
        Receipt stored = engine.steering().submit(steered, PERSON, request).receipt();
        Receipt receipt =
            engine.steering().await(stored.steerId(), Rung.ACCEPTED, Duration.ofMinutes(1));
        assertThat(receipt.settledAt(Rung.ACCEPTED)).as("%s", receipt).isTrue();
        steers++;
      }
      assertThat(onDisk()).as("bytes on disk").isLessThan(mostOnDisk);
      engine.runs().awaitEnd(flood, LOOK);
    }
    return steers;
  }

  /** What the data folder takes on disk, in bytes; only the system's own program can tell. */
  private long onDisk() throws IOException {
    Process du = new ProcessBuilder("du", "-sk", data.toString()).start();
    String kibibytes = new String(du.getInputStream().readAllBytes(), UTF_8);
    return 1024 * Long.parseLong(kibibytes.split("\\s", 2)[0]);
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
