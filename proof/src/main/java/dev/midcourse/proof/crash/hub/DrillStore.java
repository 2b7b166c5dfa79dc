package dev.midcourse.proof.crash.hub;

import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.PostgresLedger;
import dev.midcourse.ledger.sql.SqliteLedger;
import java.nio.file.Path;

/** The store of a drill's ledger. Its text form fits in one argument of another process. */
public sealed interface DrillStore {
  /** A SQLite file in the folder of the drill. */
  record Sqlite() implements DrillStore {}

  /** A PostgreSQL server that is already running. */
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
