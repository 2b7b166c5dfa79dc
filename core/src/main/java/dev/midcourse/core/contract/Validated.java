package dev.midcourse.core.contract;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import java.util.List;

/** The result of a check of outside data: a typed value, or every problem. */
public sealed interface Validated<T> {

  record Valid<T>(T value) implements Validated<T> {}

  /** At least one problem, each with its field and the rule that the field breaks. */
  record Invalid<T>(List<Problem> problems) implements Validated<T> {
    public Invalid {
      problems = List.copyOf(problems);
    }
  }

  /**
   * Returns the value.
   *
   * @throws RefusedException if it is invalid; it carries all problems
   */
  default T orRefuse() {
    return switch (this) {
      case Valid<T>(T value) -> value;
      case Invalid<T>(List<Problem> problems) -> throw RefusedException.of(problems);
    };
  }
}
