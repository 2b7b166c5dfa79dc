package dev.midcourse.proof.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.engine.SteerService;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.PostgresLedger;
import dev.midcourse.proof.bench.fixture.FreePorts;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two hubs with one PostgreSQL. (With one SQLite file, the second hub is refused.) */
@Tag("slow")
class TwoHubsTest {

  @Test
  void each_run_has_one_owner_and_a_steer_is_delivered_once_whichever_hub_took_it(
      @TempDir Path folder) throws Exception {
    Random random = RaceFixture.random("two hubs");
    AgentRecorder recorder = new AgentRecorder();
    InstantSource clock = InstantSource.system();
    try (EmbeddedPostgres server = EmbeddedPostgres.builder().setPort(FreePorts.next()).start();
        Ledger ledger = open(server);
        Ledger other = open(server);
        RaceFixture here = new RaceFixture("here", folder, ledger, clock, recorder);
        RaceFixture there = new RaceFixture("there", folder, other, clock, recorder)) {
      List<RaceFixture> hubs = List.of(here, there);
      List<RunId> runs = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        RaceFixture hub = hubs.get(random.nextInt(2));
        runs.add(hub.run("run-" + i, "$ sleep 0.1\n$ sleep 0.1\n$ sleep 0.1").id());
      }
      for (int i = 0; i < 150; i++) {
        steer(hubs.get(random.nextInt(2)), runs.get(random.nextInt(runs.size())), random);
      }
      here.awaitEnds(runs);
      for (RunId run : runs) {
        here.assertHonest(run, "see the seed above;");
        assertThat(here.now(run).state()).isEqualTo(RunState.DONE);
        assertThat(here.now(run).attempt()).as("attempts at %s", run).isEqualTo(1);
      }
      assertThat(recorder.twoAtOnce()).isEmpty();
    }
  }

  /**
   * Seen to fail without notifications between hubs: the steer waited for the end of the turn, the
   * stop for ever.
   */
  @Test
  void the_owner_of_a_run_is_woken_by_a_steer_and_a_stop_that_another_hub_took(@TempDir Path folder)
      throws Exception {
    InstantSource clock = InstantSource.system();
    AgentRecorder recorder = new AgentRecorder();
    try (EmbeddedPostgres server = EmbeddedPostgres.builder().setPort(FreePorts.next()).start();
        Ledger ledger = open(server);
        Ledger other = open(server);
        RaceFixture owner = new RaceFixture("owner", folder, ledger, clock, recorder);
        RaceFixture another = new RaceFixture("another", folder, other, clock, recorder)) {
      RunId run = owner.run("long", "$ sleep 0.2\n".repeat(10) + "$ sleep 100000").id();
      owner.awaitTurn(run);
      SteerService endpoint = another.engine().steering();
      SteerId steer =
          endpoint
              .submit(run, RaceFixture.PERSON, SteerRequest.steer("remark"))
              .receipt()
              .steerId();
      Receipt receipt = endpoint.await(steer, Rung.ACCEPTED, RaceFixture.TIMEOUT);
      assertThat(receipt.rung()).isGreaterThanOrEqualTo(Rung.ACCEPTED);
      assertThat(owner.now(run).lease().orElseThrow().host().value()).isEqualTo("owner");

      another.engine().runs().stop(run, RaceFixture.PERSON);
      owner.awaitEnds(List.of(run));
      assertThat(owner.now(run).state()).isEqualTo(RunState.STOPPED);
    }
  }

  private static void steer(RaceFixture hub, RunId run, Random random) {
    SteerMode mode = random.nextInt(4) == 0 ? SteerMode.FOLLOW_UP : SteerMode.STEER;
    try {
      hub.engine()
          .steering()
          .submit(run, RaceFixture.PERSON, SteerRequest.steer("remark").withMode(mode));
    } catch (RefusedException ended) {
      assertThat(hub.now(run).state().live()).isFalse();
    }
  }

  private static Ledger open(EmbeddedPostgres server) {
    return PostgresLedger.open(
        server.getJdbcUrl("postgres", "postgres") + "&unsynced=accepted", "postgres", "");
  }
}
