package dev.midcourse.ledger.sql;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.ledger.Ledger;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A process that writes to a ledger without end, from several threads, and prints the id of each
 * run when it is durable. Made to be killed.
 */
final class LedgerWriterProcess {
  /** Ends each line, so that one that was cut off is known. */
  static final String KEPT = " kept";

  private static final int HANDS = 6;

  private LedgerWriterProcess() {}

  /** What starts one in a process of its own. */
  static List<String> command(String name, Place place) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                LedgerWriterProcess.class.getName(),
                name));
    command.addAll(place.words());
    return command;
  }

  /** The first argument is a name for the runs of this writer; the others are the place. */
  public static void main(String[] words) throws InterruptedException {
    List<String> all = List.of(words);
    Ledger ledger = Place.of(all.subList(1, all.size())).open();
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Thread[] hands = new Thread[HANDS];
    for (int i = 0; i < HANDS; i++) {
      String name = all.getFirst() + "-" + i + "-";
      hands[i] = Thread.ofPlatform().start(() -> write(ledger, name, out));
    }
    for (Thread hand : hands) {
      hand.join();
    }
  }

  private static void write(Ledger ledger, String name, PrintStream out) {
    for (int i = 0; true; i++) {
      RunId run = RunId.of(name + i);
      ledger.write(tx -> {
        tx.put(Run.queued(run, spec(), Instant.now()));
        tx.append(run, Instant.now(), new RunEvent.Noted("begun"));
        return true;
      });
      out.println(run + KEPT);
    }
  }

  private static RunSpec spec() {
    return new RunSpec(
        "x".repeat(2_000),
        AgentName.of("none"),
        WorkerName.of("w"),
        "/",
        Author.person("test"),
        PendingPolicy.ALL,
        1,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
