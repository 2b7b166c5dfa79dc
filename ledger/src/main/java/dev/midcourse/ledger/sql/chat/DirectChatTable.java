package dev.midcourse.ledger.sql.chat;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import java.util.List;
import java.util.Optional;

/** The table direct_chats. */
final class DirectChatTable {
  private static final String MOVE =
      "UPDATE direct_chats SET platform_chat = ? WHERE channel = ? AND platform_chat = ?";

  private static final String OF_PERSON =
      """
      SELECT d.channel, d.platform_chat
      FROM identities i JOIN direct_chats d ON d.channel = i.channel AND d.handle = i.handle
      WHERE i.person_id = ?
      ORDER BY i.linked_at, d.channel, d.handle
      """;

  private static final String PUT =
      """
      INSERT INTO direct_chats (channel, handle, platform_chat) VALUES (?, ?, ?)
      ON CONFLICT (channel, handle) DO UPDATE SET platform_chat = excluded.platform_chat
      """;

  private DirectChatTable() {}

  static List<ChatAddress> ofPerson(SqlSession on, PersonId person) {
    return on.all(
        OF_PERSON,
        row ->
            new ChatAddress(
                row.parsed("channel", ChannelName::of),
                row.text("platform_chat"),
                Optional.empty()),
        person);
  }

  static void put(ChangeRecorder changes, Identity identity, String platformChat) {
    changes.add(PUT, identity.channel(), identity.handle(), platformChat);
  }

  static void move(SqlSession on, ChannelName channel, String oldChat, String newChat) {
    on.update(MOVE, newChat, channel, oldChat);
  }
}
