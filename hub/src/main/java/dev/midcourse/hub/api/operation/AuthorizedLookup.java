package dev.midcourse.hub.api.operation;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.authority.Action;
import dev.midcourse.core.authority.Authority;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.authority.VisibleRuns;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.SteerReference;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.hub.api.access.AccessControl;
import dev.midcourse.hub.api.lookup.IdResolver;
import java.util.Optional;

/**
 * Finds the run or steer that a request names, and checks that the caller may do the action. A
 * refusal is logged.
 *
 * <p>{@code action} is the verb of the action, for the refusal and the log.
 */
record AuthorizedLookup(IdResolver resolver, AccessControl accessControl) {

  /** Returns the run. Refuses if the caller may not see it. */
  Run visibleRun(Caller caller, String run) {
    return visibleRun(caller, run, "see");
  }

  /** Returns the run. Refuses if the caller may not see it. */
  Run visibleRun(Caller caller, String text, String action) {
    return resolver
        .run(caller, text)
        .orElseThrow(() -> unknown(caller, Optional.of(RunId.of(text)), action, "run", text));
  }

  /** Returns the run. Refuses if the caller may not direct it. */
  Run directedRun(Caller caller, String run, String action) {
    Run found = visibleRun(caller, run, action);
    requireDirect(caller, found, action);
    return found;
  }

  /** Refuses if the caller may not direct the run. */
  void requireDirect(Caller caller, Run run, String action) {
    accessControl.require(caller, Action.Direct.of(run, action));
  }

  /** Returns the steer. Refuses if the caller may not see its run. */
  Steer visibleSteer(Caller caller, SteerReference steer, String action) {
    return resolver
        .steer(caller, steer)
        .orElseThrow(() -> unknown(caller, Optional.empty(), action, "steer", steer.value()));
  }

  /** Returns the id of the steer. Refuses if the caller may not direct its run. */
  SteerId directedSteer(Caller caller, String text, String action) {
    Steer steer = visibleSteer(caller, SteerReference.of(text), action);
    Run run =
        resolver
            .runOf(steer)
            .orElseThrow(() -> unknown(caller, Optional.empty(), action, "steer", text));
    requireDirect(caller, run, action + " a steer of");
    return steer.id();
  }

  /**
   * Returns the refusal of an unknown id. A caller that sees all runs gets "not found"; other
   * callers do not learn whether the id exists.
   */
  private RefusedException unknown(
      Caller caller, Optional<RunId> run, String action, String kind, String text) {
    return switch (Authority.sight(caller)) {
      case VisibleRuns.Everything _ ->
          Problem.of(
                  Code.NOT_FOUND, kind + "_id", "an existing id", kind + " " + text + " not found")
              .refused();
      case VisibleRuns.Only _ ->
          accessControl.refuseUnknown(caller, run, kind + "_id", action + " " + kind + " " + text);
    };
  }
}
