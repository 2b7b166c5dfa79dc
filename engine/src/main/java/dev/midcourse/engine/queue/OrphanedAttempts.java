package dev.midcourse.engine.queue;

import static java.util.stream.Collectors.toMap;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.Driver;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Run;
import dev.midcourse.engine.context.EngineContext;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Ends the processes of attempts that are over in the ledger, but may be alive because the hub died
 * before it ended them. Runs before any new attempt starts.
 */
public record OrphanedAttempts(EngineContext context) {

  /**
   * Ends all attempts of this host that are not closed, except the current attempts of live runs.
   */
  public void end(List<Run> live) {
    Map<RunId, Integer> current = live.stream().collect(toMap(Run::id, Run::attempt));
    for (Attempt attempt :
        context.ledger().read(r -> r.unclosedAttempts(context.settings().host()))) {
      if (!Objects.equals(current.get(attempt.run()), attempt.number())) {
        context.ledger().read(r -> r.run(attempt.run())).ifPresent(run -> end(run, attempt));
      }
    }
  }

  private void end(Run run, Attempt attempt) {
    Driver driver = context.driver(run.spec().agent());
    Agent agent =
        driver.attach(
            context.attemptSpecs().spec(run, attempt),
            new AgentEventBatch.OutputCheckpoint(attempt.offset(), attempt.memo()),
            _ -> {});
    agent.end(context.settings().grace());
    agent.detach();
    Instant now = context.clock().instant();
    context
        .ledger()
        .write(tx -> {
          tx.put(attempt.ended(now, "ended by the next hub"));
          return now;
        });
  }
}
