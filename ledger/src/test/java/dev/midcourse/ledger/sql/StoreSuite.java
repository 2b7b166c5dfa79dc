package dev.midcourse.ledger.sql;

import dev.midcourse.core.run.Run;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.LedgerReader;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the suites share: a ledger of their own per test, on the store that a subclass names. */
@SuppressWarnings("NullAway.Init")
abstract class StoreSuite {
  final Arbitrary any = Arbitrary.seeded();
  Place place;
  Ledger ledger;

  /** Each question through its own read. */
  final LedgerReader look = OneReadPerCall.each(() -> ledger);

  /** A place where no ledger has been yet. */
  abstract Place newPlace();

  @BeforeEach
  void openIt() {
    place = newPlace();
    ledger = place.open();
  }

  @AfterEach
  void closeIt() {
    ledger.close();
  }

  void reopen() {
    ledger.close();
    ledger = place.open();
  }

  Run stored() {
    return stored(any.run());
  }

  Run stored(Run run) {
    return ledger.write(tx -> {
      tx.put(run);
      return run;
    });
  }

  /** For a work that holds the writer until the gate opens. */
  static boolean passed(CountDownLatch gate) {
    try {
      gate.await();
      return true;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
