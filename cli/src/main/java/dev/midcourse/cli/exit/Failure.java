package dev.midcourse.cli.exit;

import java.util.Optional;

/**
 * Why a command cannot do what it was asked, in words for whoever asked: one line that says what is
 * wrong and, where there is something to do, one that says what.
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

  /** Wrong use of a command. */
  public static Failure usage(String what, String remedy) {
    return of(ExitCode.USAGE, what, remedy);
  }

  public Failure because(Throwable cause) {
    return new Failure(code, what(), remedy, Optional.of(cause));
  }

  /** The same with something to do about it. */
  public Failure withRemedy(String todo) {
    return new Failure(code, what(), todo, Optional.ofNullable(getCause()));
  }

  public ExitCode code() {
    return code;
  }

  public String what() {
    return String.valueOf(getMessage());
  }

  /** What to do about it; blank if there is nothing. */
  public String remedy() {
    return remedy;
  }
}
