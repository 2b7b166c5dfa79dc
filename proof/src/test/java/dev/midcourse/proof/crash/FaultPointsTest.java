package dev.midcourse.proof.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * None lost, none doubled, no false receipt, no process left, when the hub ends at any named point
 * of a steer's way. A failure names its seed; {@code -Dmidcourse.seed=N} plays it again.
 */
class FaultPointsTest {
  private static final long SEED =
      Long.getLong("midcourse.seed", System.currentTimeMillis() % 1_000_000);
  private static final List<FaultPoint> EVERY_POINT = List.of(FaultPoint.values());
  private static final List<FaultPoint> AT_THE_LEDGER =
      EVERY_POINT.stream().filter(FaultPoint::atTheLedger).toList();

  @Test
  @Tag("slow")
  void every_point_once_on_sqlite(@TempDir Path folder) throws Exception {
    drill(1, EVERY_POINT, folder, new DrillStore.Sqlite());
  }

  @Test
  @Tag("slow")
  void every_point_at_the_ledger_once_on_postgresql(@TempDir Path folder) throws Exception {
    try (DrillServer server = DrillServer.in(folder)) {
      drill(1, AT_THE_LEDGER, folder, server.store());
    }
  }

  @Test
  @Tag("long")
  void every_point_fifty_times_on_sqlite(@TempDir Path folder) throws Exception {
    drill(50, EVERY_POINT, folder, new DrillStore.Sqlite());
  }

  @Test
  @Tag("long")
  void every_point_fifty_times_on_postgresql(@TempDir Path folder) throws Exception {
    try (DrillServer server = DrillServer.in(folder)) {
      drill(50, EVERY_POINT, folder, server.store());
    }
  }

  private static void drill(int rounds, List<FaultPoint> points, Path folder, DrillStore store)
      throws Exception {
    System.out.println("fault points, seed " + SEED);
    CrashDrill.Extent extent = new CrashDrill.Extent(SEED, rounds * points.size(), 0, 3);
    Findings findings = new CrashDrill(extent, folder, store, points).run();
    System.out.println(findings);
    assertThat(findings.clean()).as(findings.toString()).isTrue();
    assertThat(findings.faults().keySet())
        .as("points that hubs ended at; seed %s", SEED)
        .containsExactlyInAnyOrderElementsOf(points);
  }
}
