package dev.midcourse.ledger.sql.loop;

import dev.midcourse.core.loop.queue.MergeQueue;
import dev.midcourse.core.loop.queue.QueueKey;
import dev.midcourse.ledger.json.MergeQueueCodec;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import java.util.List;
import java.util.Optional;

/** The table of merge queues. */
final class MergeQueueTable {
  private static final String BY_KEY =
      "SELECT body FROM merge_queues WHERE host = ? AND repository = ? AND base = ?";

  private static final String WAITING =
      "SELECT body FROM merge_queues WHERE waiting > 0 ORDER BY repository, base, host";

  private static final String PUT =
      """
      INSERT INTO merge_queues (host, repository, base, waiting, body) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (host, repository, base) DO UPDATE SET
        waiting = excluded.waiting, body = excluded.body
      """;

  private MergeQueueTable() {}

  static Optional<MergeQueue> byKey(SqlSession on, QueueKey key) {
    return on.first(
        BY_KEY,
        row -> row.parsed("body", MergeQueueCodec::decode),
        key.host(),
        key.repository(),
        key.base());
  }

  static List<MergeQueue> waiting(SqlSession on) {
    return on.all(WAITING, row -> row.parsed("body", MergeQueueCodec::decode));
  }

  static void put(ChangeRecorder changes, MergeQueue queue) {
    changes.add(
        PUT,
        queue.key().host(),
        queue.key().repository(),
        queue.key().base(),
        queue.entries().size(),
        MergeQueueCodec.encode(queue));
    queue.trial().ifPresent(its -> LoopTable.putRun(changes, its.run(), its.members().getFirst()));
  }
}
