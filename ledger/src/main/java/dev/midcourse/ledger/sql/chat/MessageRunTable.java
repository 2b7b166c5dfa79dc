package dev.midcourse.ledger.sql.chat;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The table message_runs: which message of the platform belongs to which runs and steers. */
final class MessageRunTable {
  private static final String RUNS =
      """
      SELECT c.run_id
      FROM message_runs c JOIN runs r ON r.run_id = c.run_id
      WHERE c.channel = ? AND c.platform_chat = ? AND c.platform_message = ?
      ORDER BY r.nr
      """;

  private static final String STEERS =
      """
      SELECT c.steer_id
      FROM message_runs c JOIN runs r ON r.run_id = c.run_id
      WHERE c.channel = ? AND c.platform_chat = ? AND c.platform_message = ?
        AND c.steer_id IS NOT NULL
      ORDER BY r.nr
      """;

  private static final String OF_STEER =
      """
      SELECT c.channel, c.platform_chat, c.platform_message
      FROM message_runs c LEFT JOIN chat_messages m
        ON m.channel = c.channel AND m.platform_chat = c.platform_chat
        AND m.platform_message = c.platform_message
      WHERE c.steer_id = ?
      GROUP BY c.channel, c.platform_chat, c.platform_message
      ORDER BY min(m.number), c.platform_message
      """;

  private static final String OF_RUN =
      """
      SELECT c.channel, c.platform_chat, c.platform_message
      FROM message_runs c JOIN chat_messages m
        ON m.channel = c.channel AND m.platform_chat = c.platform_chat
        AND m.platform_message = c.platform_message
      WHERE c.run_id = ? AND c.steer_id IS NULL
      GROUP BY c.channel, c.platform_chat, c.platform_message
      ORDER BY min(m.number)
      """;

  /** A message that is a steer stays one if it is connected with the run again. */
  private static final String PUT =
      """
      INSERT INTO message_runs (channel, platform_chat, platform_message, run_id, steer_id)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (channel, platform_chat, platform_message, run_id) DO UPDATE SET
        steer_id = coalesce(excluded.steer_id, message_runs.steer_id)
      """;

  private MessageRunTable() {}

  static List<RunId> runs(SqlSession on, MessageRef ref) {
    return on.all(
        RUNS, row -> row.parsed("run_id", RunId::of), ref.channel(), ref.chat(), ref.message());
  }

  static List<SteerId> steers(SqlSession on, MessageRef ref) {
    return on.all(
        STEERS,
        row -> row.parsed("steer_id", SteerId::of),
        ref.channel(),
        ref.chat(),
        ref.message());
  }

  static List<MessageRef> ofSteer(SqlSession on, SteerId steer) {
    return on.all(OF_STEER, MessageRunTable::message, steer);
  }

  static List<MessageRef> ofRun(SqlSession on, RunId run) {
    return on.all(OF_RUN, MessageRunTable::message, run);
  }

  private static MessageRef message(Row row) throws SQLException {
    return new MessageRef(
        row.parsed("channel", ChannelName::of),
        row.text("platform_chat"),
        row.text("platform_message"));
  }

  static void put(ChangeRecorder changes, MessageRef ref, RunId run, Optional<SteerId> steer) {
    changes.add(PUT, ref.channel(), ref.chat(), ref.message(), run, steer);
  }
}
