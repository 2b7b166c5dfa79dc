package dev.midcourse.cli.exit;

import java.util.Optional;

/**
 * The reason why a command failed, written for the user: one line for the error and, if there is a
 * remedy, one line for the remedy.
 */
public final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ExitCode code;
  private final String remedy;

  private Failure(ExitCode code, String what, String remedy, Optional<Throwable> cause) {
    super(what, cause.orElse(null), false, cause.isPresent());
    this.code = code;
    this.remedy = remedy;
  }

  public static Failure of(ExitCode code, String what, String remedy) {
    return new Failure(code, what, remedy, Optional.empty());
  }

  /** Creates a failure for the wrong use of a command. */
  public static Failure usage(String what, String remedy) {
    return of(ExitCode.USAGE, what, remedy);
  }

  public Failure because(Throwable cause) {
    return new Failure(code, what(), remedy, Optional.of(cause));
  }

  /** Returns a copy with this remedy. */
  public Failure withRemedy(String todo) {
    return new Failure(code, what(), todo, Optional.ofNullable(getCause()));
  }

  public ExitCode code() {
    return code;
  }

  public String what() {
    return String.valueOf(getMessage());
  }

  /** Returns the remedy; blank if there is none. */
  public String remedy() {
    return remedy;
  }
}
