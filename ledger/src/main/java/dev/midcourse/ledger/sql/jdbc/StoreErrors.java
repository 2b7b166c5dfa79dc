package dev.midcourse.ledger.sql.jdbc;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import java.sql.SQLException;

/** The refusals that both stores use. */
public final class StoreErrors {
  private StoreErrors() {}

  /** The store is not available; the message says what a person can do. */
  public static RefusedException unavailable(Throwable cause, String rule, String message) {
    return new RefusedException(
        Problem.of(
            Code.UNAVAILABLE,
            "ledger",
            rule,
            message + " (nothing was changed; " + cause.getMessage() + ")"),
        cause);
  }

  /** Whether the store itself failed, so that every caller is affected. */
  public static boolean isStoreError(RuntimeException refusal) {
    return refusal instanceof RefusedException refused
        && refused.problem().code() == Code.UNAVAILABLE;
  }

  public static RefusedException closed() {
    return Problem.of(
            Code.UNAVAILABLE,
            "ledger",
            "an open ledger",
            "the ledger is closed; nothing was changed")
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
