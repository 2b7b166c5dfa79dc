package dev.midcourse.proof.crash.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.proof.crash.DrillServer;
import dev.midcourse.proof.crash.hub.DrillStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * No message of a person is lost, doubled or out of order, and every answer is sent once or said to
 * be unknown, when the hub ends at any point between receiving and sending. A failure names its
 * seed, which {@code -Dmidcourse.seed=N} repeats, and its folder, which is kept.
 */
class ChatDrillTest {
  private static final long SEED =
      Long.getLong("midcourse.seed", System.currentTimeMillis() % 1_000_000);
  private static final List<ChatFaultPoint> EVERY_POINT = List.of(ChatFaultPoint.values());

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  /**
   * Seen to fail when a hub that finds no stored position of the log begins to report at the end of
   * the log.
   */
  @Test
  @Tag("slow")
  void t217_every_point_once_on_sqlite() throws Exception {
    drill(1, EVERY_POINT, new DrillStore.Sqlite());
  }

  @Test
  @Tag("slow")
  void every_point_once_on_postgresql() throws Exception {
    try (DrillServer server = DrillServer.in(folder)) {
      drill(1, EVERY_POINT, server.store());
    }
  }

  @Test
  @Tag("long")
  void every_point_ten_times_on_sqlite() throws Exception {
    drill(10, EVERY_POINT, new DrillStore.Sqlite());
  }

  @Test
  @Tag("long")
  void every_point_ten_times_on_postgresql() throws Exception {
    try (DrillServer server = DrillServer.in(folder)) {
      drill(10, EVERY_POINT, server.store());
    }
  }

  private void drill(int rounds, List<ChatFaultPoint> points, DrillStore store) throws Exception {
    System.out.println("chat drill, seed " + SEED);
    ChatFindings findings = new ChatDrill(SEED, rounds, points, folder, store).run();
    System.out.println(findings);
    assertThat(findings.clean()).as("%s; kept in %s", findings, folder).isTrue();
    assertThat(findings.faults().keySet())
        .as("points that hubs ended at; seed %s", SEED)
        .containsExactlyInAnyOrderElementsOf(points);
  }
}
