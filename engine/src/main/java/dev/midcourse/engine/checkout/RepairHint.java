package dev.midcourse.engine.checkout;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.RunId;
import java.util.List;

/** Names the run in the command that repairs a checkout; git code does not know the run. */
public final class RepairHint {
  private static final String COMMAND = "midcourse repair ";

  private RepairHint() {}

  /** Returns the refusal with the id of the run in place of the placeholder. */
  public static RefusedException naming(RunId run, RefusedException refused) {
    List<Problem> named =
        refused.problems().stream()
            .map(problem ->
                Problem.of(
                    problem.code(),
                    problem.field(),
                    problem.rule(),
                    problem.message().replace(COMMAND + "RUN", COMMAND + run)))
            .toList();
    return RefusedException.of(named);
  }
}
