package dev.midcourse.core.contract;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import java.util.List;

/** What came of reading something from outside: a typed value, or everything that is wrong. */
public sealed interface Checked<T> {

  record Sound<T>(T value) implements Checked<T> {}

  /** At least one problem, each with its field and the rule it broke. */
  record Unsound<T>(List<Problem> problems) implements Checked<T> {
    public Unsound {
      problems = List.copyOf(problems);
    }
  }

  /** The value, or a refusal that carries all problems. */
  default T orRefuse() {
    return switch (this) {
      case Sound<T>(T value) -> value;
      case Unsound<T>(List<Problem> problems) -> throw RefusedException.of(problems);
    };
  }
}
