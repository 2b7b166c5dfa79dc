package dev.midcourse.core.authority;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import java.util.Optional;

/**
 * The one place that decides who may do what. Main may do everything; an agent's own process may
 * look at its own run and do nothing else; everybody else is refused.
 */
public final class Authority {
  private Authority() {}

  /** Why this asker may not do this; empty when it may. */
  public static Optional<Problem> objection(Asker asker, Act act) {
    return switch (asker) {
      case Asker.Main _ -> Optional.empty();
      case Asker.Worker worker ->
          sees(worker, act)
              ? Optional.empty()
              : Optional.of(
                  refusal(
                      "an agent may look at its own run only",
                      "a process of run " + worker.run() + " may not " + act.words()));
      case Asker.Stranger(String why) ->
          Optional.of(refusal("a person, or the token", why + ": may not " + act.words()));
    };
  }

  private static boolean sees(Asker.Worker worker, Act act) {
    return switch (act) {
      case Act.See see -> see.run().equals(worker.run());
      case Act.SeeAll _, Act.Dispatch _, Act.Direct _, Act.Answer _, Act.Keep _ -> false;
    };
  }

  private static Problem refusal(String rule, String message) {
    return Problem.of(Code.FORBIDDEN, "caller", rule, message);
  }
}
