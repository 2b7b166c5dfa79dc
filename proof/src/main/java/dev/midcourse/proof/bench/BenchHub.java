package dev.midcourse.proof.bench;

import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.rehearsal.InProcessRehearsal;
import dev.midcourse.agents.rehearsal.RehearsalDriver;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.hub.Hub;
import dev.midcourse.hub.settings.HubSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A whole hub with its doors, on a real SQLite file. Its agents are the in-process twin of the
 * rehearsal agent, or programs of their own.
 */
final class BenchHub implements AutoCloseable {
  private static final AgentName REHEARSAL = AgentName.of("rehearsal");

  private final Path folder;
  private final Map<SteerId, Long> written = new ConcurrentHashMap<>();
  private final InProcessRehearsal twin = new InProcessRehearsal();
  private final Hub hub;

  private BenchHub(Path folder, boolean programs) {
    this.folder = folder;
    this.hub =
        Hub.start(
            HubSettings.in(folder).withPort(0),
            host -> {
              Driver driver = programs ? new RehearsalDriver(host) : twin;
              return Drivers.of(Map.of(REHEARSAL, new TappedDriver(driver, written)));
            });
  }

  /** What is in the folder before its hub is up. */
  @FunctionalInterface
  interface Furnishing {
    void in(Path folder) throws IOException;
  }

  static BenchHub open() throws IOException {
    return open(_ -> {});
  }

  static BenchHub open(Furnishing furnishing) throws IOException {
    Path folder = Folders.make();
    furnishing.in(folder);
    return new BenchHub(folder, false);
  }

  /** One whose agents are programs of their own, each with its pipe and its file. */
  static BenchHub withPrograms() throws IOException {
    return new BenchHub(Folders.make(), true);
  }

  Hub hub() {
    return hub;
  }

  /** When each steer was in its agent's input, as {@link System#nanoTime}. */
  Map<SteerId, Long> written() {
    return written;
  }

  /** A connection to the TCP door, kept for many requests. */
  HubCaller caller() throws IOException {
    return new HubCaller(hub.port(), Files.readString(folder.resolve("token")).strip());
  }

  /**
   * Starts so many runs whose tools take so long each, not all in the same moment, and waits for
   * their first turns.
   */
  void busy(int runs, Duration tool) throws IOException, InterruptedException {
    String step = "$ sleep %.1f\\n".formatted(tool.toMillis() / 1e3);
    try (HubCaller caller = caller()) {
      for (int i = 0; i < runs; i++) {
        String first = "$ sleep %.3f\\n".formatted(tool.toMillis() / 1e3 * i / runs);
        String prompt = first + step.repeat(500);
        caller.post("/runs", "{\"run_id\":\"busy-" + i + "\",\"prompt\":\"" + prompt + "\"}");
      }
    }
    Turns.await(hub.engine().ledger().log(), runs);
  }

  /** Starts so many runs with one tool that goes on and on, and waits for their first turns. */
  void waiting(int runs) throws IOException, InterruptedException {
    try (HubCaller caller = caller()) {
      for (int i = 0; i < runs; i++) {
        caller.post("/runs", "{\"run_id\":\"busy-" + i + "\",\"prompt\":\"$ sleep 3600\"}");
      }
    }
    Turns.await(hub.engine().ledger().log(), runs);
  }

  /** Ends all runs, with their processes. */
  void stopAll() throws IOException {
    try (HubCaller caller = caller()) {
      for (RunId run : hub.engine().attended()) {
        caller.post("/runs/" + run + "/stop", "{\"wait\":true}");
      }
    }
  }

  @Override
  public void close() throws IOException {
    hub.close();
    twin.close();
    Folders.delete(folder);
  }
}
