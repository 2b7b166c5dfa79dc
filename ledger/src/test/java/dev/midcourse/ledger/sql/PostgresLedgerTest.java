package dev.midcourse.ledger.sql;

import org.junit.jupiter.api.Nested;

/** Every suite on a real PostgreSQL. */
class PostgresLedgerTest {
  @Nested
  class Records extends LedgerSuite {
    @Override
    Place newPlace() {
      return TestPostgres.newPlace();
    }
  }

  @Nested
  class Lists extends ListingSuite {
    @Override
    Place newPlace() {
      return TestPostgres.newPlace();
    }
  }

  @Nested
  class Works_together extends TogetherSuite {
    @Override
    Place newPlace() {
      return TestPostgres.newPlace();
    }
  }

  @Nested
  class The_log extends LogSuite {
    @Override
    Place newPlace() {
      return TestPostgres.newPlace();
    }
  }

  @Nested
  class Durability extends DurabilitySuite {
    @Override
    Place newPlace() {
      return TestPostgres.newPlace();
    }
  }

  @Nested
  class The_schema extends SchemaSuite {
    @Override
    Place newPlace() {
      return TestPostgres.newPlace();
    }
  }

  @Nested
  class Chats extends ChatSuite {
    @Override
    Place newPlace() {
      return TestPostgres.newPlace();
    }
  }

  @Nested
  class Worker_views extends WorkerViewsSuite {
    @Override
    Place newPlace() {
      return TestPostgres.newPlace();
    }
  }

  @Nested
  class Loops extends LoopSuite {
    @Override
    Place newPlace() {
      return TestPostgres.newPlace();
    }
  }

  @Nested
  class Schedules extends ScheduleSuite {
    @Override
    Place newPlace() {
      return TestPostgres.newPlace();
    }
  }

  @Nested
  class Chat_views extends ChatViewsSuite {
    @Override
    Place newPlace() {
      return TestPostgres.newPlace();
    }
  }
}
