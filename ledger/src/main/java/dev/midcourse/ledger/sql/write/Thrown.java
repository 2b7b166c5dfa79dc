package dev.midcourse.ledger.sql.write;

import java.util.concurrent.CompletionException;

/** Brings what was thrown on the writer's thread to the caller's. */
final class Thrown {
  private Thrown() {}

  /** What the work threw, as it threw it. */
  static RuntimeException again(CompletionException carried) {
    return switch (carried.getCause()) {
      case RuntimeException thrown -> thrown;
      case Error thrown -> throw thrown;
      case null -> carried;
      default -> carried;
    };
  }
}
