package dev.midcourse.ledger.sql.chat;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.ConversationId;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.chat.ChatReader.RunAddress;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import java.util.Optional;

/** The table run_addresses: where the answers of a run go. */
final class RunAddressTable {
  private static final String MOVE_CHAT =
      "UPDATE run_addresses SET platform_chat = ? WHERE channel = ? AND platform_chat = ?";

  private static final String BY_RUN =
      """
      SELECT conversation_id, channel, platform_chat, thread, question
      FROM run_addresses
      WHERE run_id = ?
      """;

  private static final String PUT =
      """
      INSERT INTO run_addresses (
        run_id, conversation_id, channel, platform_chat, thread, question)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (run_id) DO UPDATE SET
        conversation_id = excluded.conversation_id, channel = excluded.channel,
        platform_chat = excluded.platform_chat, thread = excluded.thread,
        question = excluded.question
      """;

  private RunAddressTable() {}

  static Optional<RunAddress> byRun(SqlSession on, RunId run) {
    return on.first(
        BY_RUN,
        row ->
            new RunAddress(
                row.parsed("conversation_id", ConversationId::of),
                new ChatAddress(
                    row.parsed("channel", ChannelName::of),
                    row.text("platform_chat"),
                    row.optionalText("thread")),
                row.optionalText("question")),
        run);
  }

  static void put(ChangeRecorder changes, RunId run, RunAddress address) {
    changes.add(
        PUT,
        run,
        address.conversation(),
        address.to().channel(),
        address.to().chat(),
        address.to().thread(),
        address.question());
  }

  static void moveChat(SqlSession on, ChannelName channel, String oldChat, String newChat) {
    on.update(MOVE_CHAT, newChat, channel, oldChat);
  }
}
