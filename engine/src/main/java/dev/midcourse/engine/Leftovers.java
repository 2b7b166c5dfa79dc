package dev.midcourse.engine;

import static java.util.stream.Collectors.toMap;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Heard;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Run;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Processes of attempts that are over in the ledger but were not seen to end, because the hub died
 * in between: ended before anything new begins.
 */
public record Leftovers(Parts parts) {

  /** All but the attempts that the live runs are at. */
  public void end(List<Run> live) {
    Map<RunId, Integer> current = live.stream().collect(toMap(Run::id, Run::attempt));
    for (Attempt attempt : parts.ledger().read(r -> r.unclosedAttempts(parts.settings().host()))) {
      if (!Objects.equals(current.get(attempt.run()), attempt.number())) {
        parts.ledger().read(r -> r.run(attempt.run())).ifPresent(run -> end(run, attempt));
      }
    }
  }

  private void end(Run run, Attempt attempt) {
    Driver driver = parts.driver(run.spec().agent());
    Agent agent =
        driver.attach(
            parts.orders().order(run, attempt),
            new Heard.Place(attempt.offset(), attempt.memo()),
            _ -> {});
    agent.end(parts.settings().grace());
    agent.detach();
    Instant now = parts.clock().instant();
    parts
        .ledger()
        .write(tx -> {
          tx.put(attempt.ended(now, "ended by the next hub"));
          return now;
        });
  }
}
