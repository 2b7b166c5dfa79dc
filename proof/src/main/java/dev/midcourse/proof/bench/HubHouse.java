package dev.midcourse.proof.bench;

import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.rehearsal.InProcessRehearsal;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.hub.Hub;
import dev.midcourse.hub.HubSettings;
import dev.midcourse.ledger.Log;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

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
    Path folder = Files.createTempDirectory("midcourse-bench");
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
    Log log = hub.engine().ledger().log();
    Log.Filter turns = new Log.Filter(Optional.empty(), Set.of("turn_started"));
    long cursor = 0;
    for (int begun = 0; begun < runs; ) {
      Log.Page page = log.after(cursor, turns, 1_000);
      begun += page.entries().size();
      cursor = page.next();
      if (page.entries().isEmpty()) {
        log.awaitAfter(cursor, Duration.ofSeconds(10));
      }
    }
  }

  @Override
  public void close() throws IOException {
    hub.close();
    rehearsal.close();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
