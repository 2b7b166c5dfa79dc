package dev.midcourse.core;

import java.util.List;
import java.util.stream.Collectors;

/** Carries one or more {@link Problem}s to the interface that must answer the request. */
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

  /** Returns an exception for all given problems, of which there must be at least one. */
  public static RefusedException of(List<Problem> problems) {
    return problems.size() == 1 ? problems.getFirst().refused() : new RefusedException(problems);
  }

  /** Returns the first problem. */
  public Problem problem() {
    return problem;
  }

  /** Returns the messages of all problems, separated by semicolons. */
  public String description() {
    return all.stream().map(Problem::message).collect(Collectors.joining("; "));
  }

  /** Returns all problems in the order in which they were found. */
  public List<Problem> problems() {
    return all;
  }
}
