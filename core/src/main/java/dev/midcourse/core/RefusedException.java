package dev.midcourse.core;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Carries one {@link Problem} or several to the door that has to answer for it. Changes nothing on
 * its way.
 */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Problem problem;
  private final transient List<Problem> all;

  public RefusedException(Problem problem) {
    super(problem.message());
    this.problem = problem;
    this.all = List.of(problem);
  }

  public RefusedException(Problem problem, Throwable cause) {
    super(problem.message(), cause);
    this.problem = problem;
    this.all = List.of(problem);
  }

  private RefusedException(List<Problem> problems) {
    super(problems.stream().map(Problem::message).collect(Collectors.joining("; ")));
    this.problem = problems.getFirst();
    this.all = List.copyOf(problems);
  }

  /** For several problems at once; there is at least one. */
  public static RefusedException of(List<Problem> problems) {
    return problems.size() == 1 ? problems.getFirst().refused() : new RefusedException(problems);
  }

  /** The first of them. */
  public Problem problem() {
    return problem;
  }

  /** All of it in words. */
  public String description() {
    return all.stream().map(Problem::message).collect(Collectors.joining("; "));
  }

  /** Everything that is wrong, in the order in which it was found. */
  public List<Problem> problems() {
    return all;
  }
}
