package dev.midcourse.ledger.sql.table;

import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.DispatchKey;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import java.util.Optional;

/** The keys of dispatches as rows. A key is stored once and never changed. */
public final class DispatchKeyTable {
  private static final String ONE =
      "SELECT run_id, content FROM dispatch_keys WHERE author_group = ? AND key = ?";

  private static final String PUT =
      "INSERT INTO dispatch_keys (author_group, key, run_id, content) VALUES (?, ?, ?, ?)";

  private DispatchKeyTable() {}

  static Optional<DispatchKey> one(SqlSession on, GroupName group, IdempotencyKey key) {
    return on.first(
        ONE,
        row ->
            new DispatchKey(
                group, key, row.parsed("run_id", RunId::of), row.optionalText("content")),
        group,
        key);
  }

  public static void put(ChangeRecorder changes, DispatchKey key) {
    changes.add(PUT, key.group(), key.key(), key.run(), key.content());
  }
}
