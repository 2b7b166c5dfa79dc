package dev.midcourse.ledger.sql.chat;

import dev.midcourse.core.chat.ConversationId;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import java.util.List;

/** The table waiting_messages: messages that have gone into no prompt yet. */
final class WaitingMessageTable {
  /** What a message waits as. */
  enum WaitsAs {
    CONTEXT,
    DEBOUNCED
  }

  private static final String NEWEST =
      """
      SELECT %s
      FROM waiting_messages w JOIN chat_messages m ON m.number = w.number
      WHERE w.conversation_id = ? AND w.waits_as = ?
      ORDER BY w.number DESC
      LIMIT ?
      """
          .formatted(MessageTable.COLUMNS);

  private static final String DEBOUNCING =
      """
      SELECT DISTINCT conversation_id
      FROM waiting_messages
      WHERE waits_as = 'debounced'
      ORDER BY conversation_id
      """;

  private static final String WAITING_IN =
      """
      SELECT DISTINCT conversation_id
      FROM waiting_messages
      WHERE number = ?
      ORDER BY conversation_id
      """;

  private static final String PUT =
      """
      INSERT INTO waiting_messages (conversation_id, waits_as, number) VALUES (?, ?, ?)
      ON CONFLICT (conversation_id, waits_as, number) DO NOTHING
      """;

  private static final String TAKE =
      "DELETE FROM waiting_messages WHERE conversation_id = ? AND number = ?";

  private static final String FORGET_CONTEXT =
      """
      DELETE FROM waiting_messages
      WHERE conversation_id = ? AND waits_as = 'context' AND number <= ?
      """;

  private WaitingMessageTable() {}

  /** The newest waiting messages, oldest first. */
  static List<RoutedMessage> newest(
      SqlSession on, ConversationId conversation, WaitsAs as, int limit) {
    return on.all(NEWEST, MessageTable::message, conversation, as, limit).reversed();
  }

  static List<ConversationId> debouncing(SqlSession on) {
    return on.all(DEBOUNCING, row -> row.parsed("conversation_id", ConversationId::of));
  }

  static List<ConversationId> waitingIn(SqlSession on, long number) {
    return on.all(WAITING_IN, row -> row.parsed("conversation_id", ConversationId::of), number);
  }

  static void put(ChangeRecorder changes, ConversationId conversation, WaitsAs as, long number) {
    changes.add(PUT, conversation, as, number);
  }

  static void take(ChangeRecorder changes, ConversationId conversation, long number) {
    changes.add(TAKE, conversation, number);
  }

  static void forgetContext(ChangeRecorder changes, ConversationId conversation, long upTo) {
    changes.add(FORGET_CONTEXT, conversation, upTo);
  }
}
