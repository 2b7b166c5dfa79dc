package dev.midcourse.ledger.sql;

import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Every suite on SQLite. */
class SqliteLedgerTest {
  @TempDir Path folder;

  private int places;

  private Place newPlace() {
    return new Place.Sqlite(folder.resolve("deep/led ger?#%" + places++ + ".db"));
  }

  @Nested
  class Records extends LedgerSuite {
    @Override
    Place newPlace() {
      return SqliteLedgerTest.this.newPlace();
    }
  }

  @Nested
  class Lists extends ListingSuite {
    @Override
    Place newPlace() {
      return SqliteLedgerTest.this.newPlace();
    }
  }

  @Nested
  class Works_together extends TogetherSuite {
    @Override
    Place newPlace() {
      return SqliteLedgerTest.this.newPlace();
    }
  }

  @Nested
  class The_log extends LogSuite {
    @Override
    Place newPlace() {
      return SqliteLedgerTest.this.newPlace();
    }
  }

  @Nested
  class Durability extends DurabilitySuite {
    @Override
    Place newPlace() {
      return SqliteLedgerTest.this.newPlace();
    }
  }

  @Nested
  class The_schema extends SchemaSuite {
    @Override
    Place newPlace() {
      return SqliteLedgerTest.this.newPlace();
    }
  }

  @Nested
  class Chats extends ChatSuite {
    @Override
    Place newPlace() {
      return SqliteLedgerTest.this.newPlace();
    }
  }

  @Nested
  class Worker_views extends WorkerViewsSuite {
    @Override
    Place newPlace() {
      return SqliteLedgerTest.this.newPlace();
    }
  }

  @Nested
  class Loops extends LoopSuite {
    @Override
    Place newPlace() {
      return SqliteLedgerTest.this.newPlace();
    }
  }

  @Nested
  class Schedules extends ScheduleSuite {
    @Override
    Place newPlace() {
      return SqliteLedgerTest.this.newPlace();
    }
  }

  @Nested
  class Chat_views extends ChatViewsSuite {
    @Override
    Place newPlace() {
      return SqliteLedgerTest.this.newPlace();
    }
  }
}
