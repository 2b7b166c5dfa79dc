package dev.midcourse.hub.metrics;

import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.ledger.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;

/**
 * Counts the processes of the agents of this host: those that carry the marker of an attempt whose
 * end is not recorded. Reads the process table at most once in five seconds.
 */
public final class AgentProcesses {
  private static final Duration REMEMBERED = Duration.ofSeconds(5);

  private final MarksAlive marks;
  private final Ledger ledger;
  private final HostName host;
  private final InstantSource clock;

  /** The last count and its time; guarded by this. */
  private int found;

  private Instant at = Instant.MIN;

  /** Reads the process table. Returns the number of processes for each mark. */
  @FunctionalInterface
  public interface MarksAlive {
    Map<ProcessMarker, Integer> look() throws InterruptedException;
  }

  public AgentProcesses(MarksAlive marks, Ledger ledger, HostName host, InstantSource clock) {
    this.marks = marks;
    this.ledger = ledger;
    this.host = host;
    this.clock = clock;
  }

  public synchronized int count() throws InterruptedException {
    Instant now = clock.instant();
    if (at.isBefore(now.minus(REMEMBERED))) {
      Map<ProcessMarker, Integer> alive = marks.look();
      found =
          ledger.read(reading -> reading.unclosedAttempts(host)).stream()
              .map(Attempt::mark)
              .mapToInt(mark -> alive.getOrDefault(new ProcessMarker(mark), 0))
              .sum();
      at = now;
    }
    return found;
  }
}
