package dev.midcourse.proof.crash;

import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.PostgresLedger;
import dev.midcourse.ledger.sql.SqliteLedger;
import java.nio.file.Path;

/**
 * Which store the hubs of a drill keep their ledger in; can be told to another process in one word.
 */
public sealed interface DrillStore {
  /** A file in the drill's folder. */
  record Sqlite() implements DrillStore {}

  /** A server that is running already. */
  record Postgres(String url) implements DrillStore {}

  default Ledger open(Path folder) {
    return switch (this) {
      case Sqlite() -> SqliteLedger.open(folder.resolve("midcourse.db"));
      case Postgres(String url) -> PostgresLedger.open(url, "postgres", "");
    };
  }

  default String word() {
    return switch (this) {
      case Sqlite() -> "sqlite";
      case Postgres(String url) -> url;
    };
  }

  static DrillStore of(String word) {
    return word.equals("sqlite") ? new Sqlite() : new Postgres(word);
  }
}
