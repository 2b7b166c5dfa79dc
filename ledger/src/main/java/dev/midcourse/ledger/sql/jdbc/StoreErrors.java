package dev.midcourse.ledger.sql.jdbc;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import java.sql.SQLException;

/** What both stores say when they cannot. */
public final class StoreErrors {
  private StoreErrors() {}

  /** The store cannot do it now; the message says what to do about it. */
  public static RefusedException unavailable(Throwable cause, String rule, String message) {
    return new RefusedException(
        Problem.of(
            Code.UNAVAILABLE,
            "ledger",
            rule,
            message + " (nothing was changed; " + cause.getMessage() + ")"),
        cause);
  }

  /** Whether it is the store that cannot, whoever asks. */
  public static boolean ofTheStore(RuntimeException refusal) {
    return refusal instanceof RefusedException refused
        && refused.problem().code() == Code.UNAVAILABLE;
  }

  public static RefusedException closed() {
    return Problem.of(
            Code.UNAVAILABLE, "ledger", "an open ledger", "the ledger is closed; nothing was done")
        .refused();
  }

  public static RefusedException keyTaken(SQLException cause) {
    return new RefusedException(
        Problem.of(
            Code.KEY_CONFLICT,
            "key",
            "one key, one effect",
            "the group has used this key before; nothing was stored"),
        cause);
  }
}
