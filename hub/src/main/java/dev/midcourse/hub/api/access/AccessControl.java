package dev.midcourse.hub.api.access;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.authority.Action;
import dev.midcourse.core.authority.Authority;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.Ledger;
import java.util.Optional;

/** Asks {@link Authority} whether a caller may act, and logs each refusal. */
public record AccessControl(Ledger ledger, DenialLog denials) {
  /** The run id in the log of a refusal that concerns no run. */
  public static final RunId NO_RUN = RunId.of("none");

  public void require(Caller caller, Action action) {
    Optional<Problem> objection = Authority.objection(caller, action);
    if (objection.isPresent()) {
      RunId about = action.about().filter(this::isKnown).orElse(NO_RUN);
      note(caller, about, action.description(), objection.get().message());
      throw objection.get().refused();
    }
  }

  /** Logs and returns the refusal of an action on something that the caller cannot see. */
  public RefusedException refuseUnknown(
      Caller caller, Optional<RunId> run, String field, String what) {
    Problem problem = Authority.unknown(caller, field, what);
    note(caller, run.filter(this::isKnown).orElse(NO_RUN), what, problem.message());
    return problem.refused();
  }

  private boolean isKnown(RunId run) {
    return ledger.read(reading -> reading.run(run)).isPresent();
  }

  /** Logs a refusal, whether the run exists or not. */
  public void note(Caller caller, RunId run, String what, String why) {
    denials.note(caller, run, what, why);
  }
}
