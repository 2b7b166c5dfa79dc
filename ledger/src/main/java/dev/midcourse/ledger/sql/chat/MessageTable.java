package dev.midcourse.ledger.sql.chat;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.ChatId;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.core.chat.route.RoutingDecision;
import dev.midcourse.ledger.json.DecisionCodec;
import dev.midcourse.ledger.json.InboundCodec;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The table chat_messages. */
final class MessageTable {
  static final String COLUMNS =
      """
      m.number, m.channel, m.update_key, m.platform_chat, m.platform_message, m.body, m.decision,
      m.sent_at, m.received_at\
      """;

  private static final String SEEN =
      "SELECT count(*) FROM chat_messages WHERE channel = ? AND update_key = ?";

  private static final String BY_NUMBER =
      "SELECT %s FROM chat_messages m WHERE m.number = ?".formatted(COLUMNS);

  private static final String BY_REF =
      """
      SELECT %s
      FROM chat_messages m
      WHERE m.channel = ? AND m.platform_chat = ? AND m.platform_message = ?
      ORDER BY m.number
      LIMIT 1
      """
          .formatted(COLUMNS);

  private static final String NEWEST =
      "SELECT %s FROM chat_messages m WHERE m.number < ? ORDER BY m.number DESC LIMIT ?"
          .formatted(COLUMNS);

  private static final String NEWEST_OF_CHAT =
      """
      SELECT %s
      FROM chat_messages m
      WHERE m.chat_id = ? AND m.number < ?
      ORDER BY m.number DESC
      LIMIT ?
      """
          .formatted(COLUMNS);

  private static final String INSERT =
      """
      INSERT INTO chat_messages (
        number, channel, update_key, platform_chat, platform_message, chat_id, body, decision,
        sent_at, received_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String NAMED =
      """
      SELECT %s
      FROM chat_messages m
      WHERE m.platform_message = ?
      ORDER BY m.number DESC
      LIMIT ?
      """
          .formatted(COLUMNS);

  private static final String REPLACE_DECISION =
      "UPDATE chat_messages SET decision = ? WHERE number = ?";

  private static final String PRUNE =
      """
      DELETE FROM chat_messages WHERE number IN (
        SELECT number FROM chat_messages WHERE received_at < ? ORDER BY received_at LIMIT ?)
      """;

  private MessageTable() {}

  static boolean isSeen(SqlSession on, ChannelName channel, String updateKey) {
    return on.number(SEEN, channel, updateKey) > 0;
  }

  static Optional<RoutedMessage> byNumber(SqlSession on, long number) {
    return on.first(BY_NUMBER, MessageTable::message, number);
  }

  static Optional<RoutedMessage> byRef(SqlSession on, MessageRef ref) {
    return on.first(BY_REF, MessageTable::message, ref.channel(), ref.chat(), ref.message());
  }

  static List<RoutedMessage> newest(
      SqlSession on, Optional<ChatId> chat, Optional<Long> before, int limit) {
    long below = before.orElse(Long.MAX_VALUE);
    return chat.isPresent()
        ? on.all(NEWEST_OF_CHAT, MessageTable::message, chat.get(), below, limit)
        : on.all(NEWEST, MessageTable::message, below, limit);
  }

  static List<RoutedMessage> named(SqlSession on, String platformMessage, int limit) {
    return on.all(NAMED, MessageTable::message, platformMessage, limit);
  }

  static void insert(ChangeRecorder changes, RoutedMessage stored, Optional<ChatId> chat) {
    InboundMessage message = stored.message();
    changes.add(
        INSERT,
        stored.number(),
        message.ref().channel(),
        message.updateKey(),
        message.ref().chat(),
        message.ref().message(),
        chat,
        InboundCodec.encode(message),
        DecisionCodec.encode(stored.decision()),
        message.sentAt(),
        stored.receivedAt());
  }

  static void replaceDecision(ChangeRecorder changes, long number, RoutingDecision decision) {
    changes.add(REPLACE_DECISION, DecisionCodec.encode(decision), number);
  }

  static int prune(SqlSession on, Instant before, int limit) {
    return on.update(PRUNE, before, limit);
  }

  static RoutedMessage message(Row row) throws SQLException {
    MessageRef ref =
        new MessageRef(
            row.parsed("channel", ChannelName::of),
            row.text("platform_chat"),
            row.text("platform_message"));
    String updateKey = row.text("update_key");
    Instant sentAt = row.instant("sent_at");
    return new RoutedMessage(
        row.number("number"),
        row.parsed("body", InboundCodec::decode)
            .orElseGet(() -> InboundCodec.unreadable(ref, updateKey, sentAt)),
        row.instant("received_at"),
        row.parsed("decision", DecisionCodec::decode));
  }
}
