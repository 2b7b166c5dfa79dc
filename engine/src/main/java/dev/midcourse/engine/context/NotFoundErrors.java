package dev.midcourse.engine.context;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;

/** Refusals of requests that name a run or a steer that the ledger does not have. */
public final class NotFoundErrors {
  private NotFoundErrors() {}

  public static RefusedException run(RunId id) {
    return Problem.of(Code.NOT_FOUND, "run_id", "a known run", "run " + id + " not found")
        .refused();
  }

  public static RefusedException steer(SteerId id) {
    return Problem.of(Code.NOT_FOUND, "steer_id", "a known steer", "steer " + id + " not found")
        .refused();
  }
}
