package dev.midcourse.ledger.sql.chat;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatId;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.UnknownSenderPolicy;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The table chats. */
final class ChatTable {
  private static final String MOVE =
      "UPDATE chats SET platform_id = ? WHERE channel = ? AND platform_id = ?";

  private static final String COLUMNS =
      "chat_id, channel, platform_id, name, kind, threads, unknown_sender_policy, created_at";

  private static final String BY_ID = "SELECT %s FROM chats WHERE chat_id = ?".formatted(COLUMNS);

  private static final String BY_PLATFORM_ID =
      "SELECT %s FROM chats WHERE channel = ? AND platform_id = ?".formatted(COLUMNS);

  private static final String ALL =
      "SELECT %s FROM chats ORDER BY created_at, chat_id".formatted(COLUMNS);

  private static final String PUT =
      """
      INSERT INTO chats (
        chat_id, channel, platform_id, name, kind, threads, unknown_sender_policy, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (chat_id) DO UPDATE SET
        channel = excluded.channel, platform_id = excluded.platform_id, name = excluded.name,
        kind = excluded.kind, threads = excluded.threads,
        unknown_sender_policy = excluded.unknown_sender_policy, created_at = excluded.created_at
      """;

  private static final String DELETE = "DELETE FROM chats WHERE chat_id = ?";

  private ChatTable() {}

  static Optional<Chat> byId(SqlSession on, ChatId id) {
    return on.first(BY_ID, ChatTable::chat, id);
  }

  static Optional<Chat> byPlatformId(SqlSession on, ChannelName channel, String platformId) {
    return on.first(BY_PLATFORM_ID, ChatTable::chat, channel, platformId);
  }

  static List<Chat> all(SqlSession on) {
    return on.all(ALL, ChatTable::chat);
  }

  static void put(ChangeRecorder changes, Chat chat) {
    changes.add(
        PUT,
        chat.id(),
        chat.channel(),
        chat.platformId(),
        chat.name(),
        chat.kind(),
        chat.threads(),
        chat.unknownSenders(),
        chat.createdAt());
  }

  static void delete(ChangeRecorder changes, ChatId chat) {
    changes.add(DELETE, chat);
  }

  private static Chat chat(Row row) throws SQLException {
    return new Chat(
        row.parsed("chat_id", ChatId::of),
        row.parsed("channel", ChannelName::of),
        row.text("platform_id"),
        row.optionalText("name"),
        row.parsed("kind", ChatKind::parse),
        row.flag("threads"),
        row.parsed("unknown_sender_policy", UnknownSenderPolicy::parse),
        row.instant("created_at"));
  }

  static void move(SqlSession on, ChannelName channel, String oldChat, String newChat) {
    on.update(MOVE, newChat, channel, oldChat);
  }
}
