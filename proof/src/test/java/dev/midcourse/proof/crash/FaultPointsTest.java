package dev.midcourse.proof.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.proof.crash.hub.DrillStore;
import dev.midcourse.proof.crash.hub.FaultPoint;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * No steer is lost or doubled, no receipt is false and no process is left when the hub ends at any
 * fault point. A failure names its seed, which {@code -Dmidcourse.seed=N} repeats, and its folder,
 * which is kept.
 */
class FaultPointsTest {
  private static final long SEED =
      Long.getLong("midcourse.seed", System.currentTimeMillis() % 1_000_000);

  /**
   * The number of drills at the same time. A hub mostly waits before it reaches its fault point.
   */
  private static final int LANES = 3;

  private static final List<FaultPoint> EVERY_POINT = List.of(FaultPoint.values());
  private static final List<FaultPoint> AT_THE_LEDGER =
      EVERY_POINT.stream().filter(FaultPoint::isInLedger).toList();

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  @Test
  @Tag("slow")
  void every_point_once_on_sqlite() throws Exception {
    drill(SEED, 1, EVERY_POINT, folder, new DrillStore.Sqlite());
  }

  @Test
  @Tag("slow")
  void every_point_at_the_ledger_once_on_postgresql() throws Exception {
    try (DrillServer server = DrillServer.in(folder)) {
      drill(SEED, 1, AT_THE_LEDGER, folder, server.store());
    }
  }

  @Test
  @Tag("long")
  void every_point_fifty_times_on_sqlite() throws Exception {
    drillInLanes(50, _ -> new DrillStore.Sqlite());
  }

  @Test
  @Tag("long")
  void every_point_fifty_times_on_postgresql() throws Exception {
    try (DrillServer server = DrillServer.in(folder)) {
      drillInLanes(50, lane -> server.fresh("lane_" + lane));
    }
  }

  /** Runs several drills at once, each with some of the points and its own store. */
  private void drillInLanes(int rounds, IntFunction<DrillStore> store) throws Exception {
    try (ExecutorService lanes = Executors.newFixedThreadPool(LANES)) {
      List<Callable<Findings>> drills = new ArrayList<>();
      for (int lane = 0; lane < LANES; lane++) {
        long seed = SEED + lane;
        Path own = Files.createDirectory(folder.resolve("lane-" + lane));
        DrillStore kept = store.apply(lane);
        List<FaultPoint> points =
            IntStream.iterate(lane, i -> i < EVERY_POINT.size(), i -> i + LANES)
                .mapToObj(EVERY_POINT::get)
                .toList();
        drills.add(() -> drill(seed, rounds, points, own, kept));
      }
      for (Future<Findings> drill : lanes.invokeAll(drills)) {
        assertThat(drill.get().clean()).isTrue();
      }
    }
  }

  private static Findings drill(
      long seed, int rounds, List<FaultPoint> points, Path where, DrillStore store)
      throws Exception {
    System.out.println("fault points, seed " + seed);
    CrashDrill.Extent extent = new CrashDrill.Extent(seed, rounds * points.size(), 0, 3);
    Findings findings = new CrashDrill(extent, where, store, points).run();
    System.out.println(findings);
    assertThat(findings.clean()).as("%s; kept in %s", findings, where).isTrue();
    assertThat(findings.faults().keySet())
        .as("points that hubs ended at; seed %s", seed)
        .containsExactlyInAnyOrderElementsOf(points);
    return findings;
  }
}
