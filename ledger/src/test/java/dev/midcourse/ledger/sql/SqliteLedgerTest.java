package dev.midcourse.ledger.sql;

import dev.midcourse.ledger.Ledger;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The suite on SQLite. */
class SqliteLedgerTest extends LedgerSuite {
  @TempDir Path folder;

  @Override
  Ledger open() {
    return SqliteLedger.open(folder.resolve("deep/led ger?#%.db"));
  }
}
