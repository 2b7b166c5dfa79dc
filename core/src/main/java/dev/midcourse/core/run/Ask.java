package dev.midcourse.core.run;

import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.id.RunId;
import java.time.Instant;
import java.util.Optional;

/** A question of an agent, or its request for a permission, with the answer. */
public record Ask(
    RunId run,
    int attempt,
    String id,
    AskKind kind,
    String question,
    String detail,
    Instant askedAt,
    Optional<String> answer,
    Optional<Instant> closedAt) {

  public boolean open() {
    return closedAt.isEmpty();
  }

  public Ask closed(String how, Instant at) {
    return new Ask(
        run, attempt, id, kind, question, detail, askedAt, Optional.of(how), Optional.of(at));
  }
}
