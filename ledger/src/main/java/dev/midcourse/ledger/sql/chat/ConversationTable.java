package dev.midcourse.ledger.sql.chat;

import dev.midcourse.core.chat.ChatId;
import dev.midcourse.core.chat.Conversation;
import dev.midcourse.core.chat.ConversationId;
import dev.midcourse.core.chat.ConversationKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The table conversations. */
final class ConversationTable {
  private static final String COLUMNS =
      """
      c.conversation_id, c.worker, c.chat_id, c.thread, c.newest_run, c.sticky, c.created_at\
      """;

  private static final String BY_ID =
      "SELECT %s FROM conversations c WHERE c.conversation_id = ?".formatted(COLUMNS);

  /** The same expressions as in the unique index, so that the index is used. */
  private static final String BY_KEY =
      """
      SELECT %s
      FROM conversations c
      WHERE c.worker = ? AND coalesce(c.chat_id, '') = ? AND coalesce(c.thread, '') = ?
      """
          .formatted(COLUMNS);

  private static final String OF_RUN =
      """
      SELECT %s
      FROM run_addresses a JOIN conversations c ON c.conversation_id = a.conversation_id
      WHERE a.run_id = ?
      """
          .formatted(COLUMNS);

  private static final String NEWEST =
      """
      SELECT %s
      FROM conversations c
      ORDER BY c.created_at DESC, c.conversation_id DESC
      LIMIT ?
      """
          .formatted(COLUMNS);

  private static final String PUT =
      """
      INSERT INTO conversations (
        conversation_id, worker, chat_id, thread, newest_run, sticky, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (conversation_id) DO UPDATE SET
        worker = excluded.worker, chat_id = excluded.chat_id, thread = excluded.thread,
        newest_run = excluded.newest_run, sticky = excluded.sticky,
        created_at = excluded.created_at
      """;

  private ConversationTable() {}

  static Optional<Conversation> byId(SqlSession on, ConversationId id) {
    return on.first(BY_ID, ConversationTable::conversation, id);
  }

  static Optional<Conversation> byKey(SqlSession on, ConversationKey key) {
    return on.first(
        BY_KEY,
        ConversationTable::conversation,
        key.worker(),
        key.chat().map(ChatId::value).orElse(""),
        key.thread().orElse(""));
  }

  static Optional<Conversation> ofRun(SqlSession on, RunId run) {
    return on.first(OF_RUN, ConversationTable::conversation, run);
  }

  static List<Conversation> newest(SqlSession on, int limit) {
    return on.all(NEWEST, ConversationTable::conversation, limit);
  }

  static void put(ChangeRecorder changes, Conversation conversation) {
    changes.add(
        PUT,
        conversation.id(),
        conversation.key().worker(),
        conversation.key().chat(),
        conversation.key().thread(),
        conversation.newestRun(),
        conversation.sticky(),
        conversation.createdAt());
  }

  private static Conversation conversation(Row row) throws SQLException {
    return new Conversation(
        row.parsed("conversation_id", ConversationId::of),
        new ConversationKey(
            row.parsed("worker", WorkerName::of),
            row.optionalParsed("chat_id", ChatId::of),
            row.optionalText("thread")),
        row.optionalParsed("newest_run", RunId::of),
        row.flag("sticky"),
        row.instant("created_at"));
  }
}
