package dev.midcourse.core;

/** Carries a {@link Problem} to the door that has to answer for it. Changes nothing on its way. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Problem problem;

  public RefusedException(Problem problem) {
    super(problem.message());
    this.problem = problem;
  }

  public RefusedException(Problem problem, Throwable cause) {
    super(problem.message(), cause);
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
