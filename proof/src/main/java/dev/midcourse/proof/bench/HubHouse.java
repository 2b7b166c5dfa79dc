package dev.midcourse.proof.bench;

import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.rehearsal.InProcessRehearsal;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.hub.Hub;
import dev.midcourse.hub.HubSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A whole hub with its doors, on a real SQLite file, with the in-process twin as its agent. */
final class HubHouse implements AutoCloseable {
  private final Path folder;
  private final InProcessRehearsal rehearsal = new InProcessRehearsal();
  private final TappedDriver driver = new TappedDriver(rehearsal);
  private final Hub hub;

  private HubHouse(Path folder) {
    this.folder = folder;
    this.hub =
        Hub.start(
            HubSettings.in(folder).withPort(0),
            _ -> Drivers.of(Map.of(AgentName.of("rehearsal"), driver)));
  }

  /** What is in the folder before its hub is up. */
  @FunctionalInterface
  interface Furnishing {
    void in(Path folder) throws IOException;
  }

  static HubHouse open() throws IOException {
    return open(_ -> {});
  }

  static HubHouse open(Furnishing furnishing) throws IOException {
    Path folder = Folders.make();
    furnishing.in(folder);
    return new HubHouse(folder);
  }

  Hub hub() {
    return hub;
  }

  TappedDriver driver() {
    return driver;
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

  @Override
  public void close() throws IOException {
    hub.close();
    rehearsal.close();
    Folders.delete(folder);
  }
}
