package dev.midcourse.ledger.sql.chat;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.outbound.OutboundState;
import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.json.ContentCodec;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The table outbox. */
final class OutboxTable {
  private static final String MOVE_CHAT =
      """
      UPDATE outbox SET platform_chat = ?
      WHERE channel = ? AND platform_chat = ? AND state IN ('queued', 'failed', 'unknown')
      """;

  private static final String COLUMNS =
      """
      o.outbound_id, o.number, o.channel, o.platform_chat, o.thread, o.content_kind, o.content,
      o.rank, o.slot, o.state, o.tries, o.not_before, o.platform_id, o.run_id, o.problem,
      o.created_at, o.sent_at\
      """;

  private static final String BY_ID =
      "SELECT %s FROM outbox o WHERE o.outbound_id = ?".formatted(COLUMNS);

  private static final String NAMED =
      """
      SELECT %s
      FROM outbox o
      WHERE o.channel = ? AND o.platform_id = ?
      ORDER BY o.number
      LIMIT 1
      """
          .formatted(COLUMNS);

  /**
   * The first open message of each chat, if it is queued, its time has come and no message of its
   * chat is being sent. It steps from chat to chat through the index of open messages, so that its
   * cost grows with the number of chats that wait and not with the number of messages. A step has
   * the whole order of that index, because the index of all messages would lead it through sent
   * ones.
   */
  private static final String DUE =
      """
      WITH RECURSIVE open_chats (platform_chat) AS (
        SELECT (
          SELECT f.platform_chat
          FROM outbox f
          WHERE f.channel = ? AND f.state IN ('queued', 'sending')
          ORDER BY f.platform_chat, f.rank, f.number
          LIMIT 1)
        UNION ALL
        SELECT (
          SELECT n.platform_chat
          FROM outbox n
          WHERE n.channel = ? AND n.platform_chat > c.platform_chat
            AND n.state IN ('queued', 'sending')
          ORDER BY n.platform_chat, n.rank, n.number
          LIMIT 1)
        FROM open_chats c
        WHERE c.platform_chat IS NOT NULL)
      SELECT %s
      FROM open_chats c
      JOIN outbox o ON o.outbound_id = (
        SELECT h.outbound_id
        FROM outbox h
        WHERE h.channel = ? AND h.platform_chat = c.platform_chat
          AND h.state IN ('queued', 'sending')
        ORDER BY h.rank, h.number
        LIMIT 1)
      WHERE o.state = 'queued' AND coalesce(o.not_before, ?) <= ?
        AND c.platform_chat NOT IN (
          SELECT s.platform_chat FROM outbox s WHERE s.channel = ? AND s.state = 'sending')
      ORDER BY o.rank, o.number
      LIMIT ?
      """
          .formatted(COLUMNS);

  private static final String OPEN_CHANNELS =
      """
      SELECT DISTINCT channel
      FROM outbox
      WHERE state IN ('queued', 'sending')
      ORDER BY channel
      """;

  private static final String NEXT_DUE =
      """
      SELECT not_before
      FROM outbox
      WHERE channel = ? AND state = 'queued' AND not_before > ?
      ORDER BY not_before
      LIMIT 1
      """;

  private static final String IN_STATE =
      """
      SELECT %s
      FROM outbox o
      WHERE o.state = ?
      ORDER BY o.number DESC
      LIMIT ?
      """
          .formatted(COLUMNS);

  private static final String OF_RUN =
      """
      SELECT %s
      FROM outbox o
      WHERE o.run_id = ? AND o.state = ?
      ORDER BY o.number DESC
      LIMIT ?
      """
          .formatted(COLUMNS);

  private static final String OF_CHAT =
      """
      SELECT %s
      FROM outbox o
      WHERE o.channel = ? AND o.platform_chat = ?
      ORDER BY o.number DESC
      LIMIT ?
      """
          .formatted(COLUMNS);

  private static final String IN_SLOT =
      """
      SELECT %s
      FROM outbox o
      WHERE o.channel = ? AND o.platform_chat = ? AND o.slot = ?
        AND o.state IN ('queued', 'sending', 'sent')
      ORDER BY o.number DESC
      LIMIT 1
      """
          .formatted(COLUMNS);

  private static final String PUT =
      """
      INSERT INTO outbox (
        outbound_id, number, channel, platform_chat, thread, content_kind, content, rank, slot,
        state, tries, not_before, platform_id, run_id, problem, created_at, sent_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (outbound_id) DO UPDATE SET
        number = excluded.number, channel = excluded.channel,
        platform_chat = excluded.platform_chat, thread = excluded.thread,
        content_kind = excluded.content_kind, content = excluded.content, rank = excluded.rank,
        slot = excluded.slot, state = excluded.state, tries = excluded.tries,
        not_before = excluded.not_before, platform_id = excluded.platform_id,
        run_id = excluded.run_id, problem = excluded.problem, created_at = excluded.created_at,
        sent_at = excluded.sent_at
      """;

  private static final String PRUNE =
      """
      DELETE FROM outbox WHERE outbound_id IN (
        SELECT outbound_id FROM outbox
        WHERE created_at < ? AND state NOT IN ('queued', 'sending')
        ORDER BY created_at LIMIT ?)
      """;

  private OutboxTable() {}

  static Optional<OutboundMessage> byId(SqlSession on, OutboundId id) {
    return on.first(BY_ID, OutboxTable::outbound, id);
  }

  static Optional<OutboundMessage> named(SqlSession on, ChannelName channel, String platformId) {
    return on.first(NAMED, OutboxTable::outbound, channel, platformId);
  }

  static List<OutboundMessage> due(SqlSession on, ChannelName channel, Instant now, int limit) {
    return on.all(DUE, OutboxTable::outbound, channel, channel, channel, now, now, channel, limit);
  }

  static List<ChannelName> openChannels(SqlSession on) {
    return on.all(OPEN_CHANNELS, row -> row.parsed("channel", ChannelName::of));
  }

  static Optional<Instant> nextDue(SqlSession on, ChannelName channel, Instant now) {
    return on.first(NEXT_DUE, row -> row.instant("not_before"), channel, now);
  }

  /** Asks for each state alone, so that an index has the rows of each in their order. */
  static List<OutboundMessage> newest(
      SqlSession on, Set<OutboundState> states, Optional<RunId> run, int limit) {
    return states.stream()
        .flatMap(state -> inState(on, state, run, limit).stream())
        .sorted(Comparator.comparingLong(OutboundMessage::number).reversed())
        .limit(limit)
        .toList();
  }

  private static List<OutboundMessage> inState(
      SqlSession on, OutboundState state, Optional<RunId> run, int limit) {
    return run.isPresent()
        ? on.all(OF_RUN, OutboxTable::outbound, run.get(), state, limit)
        : on.all(IN_STATE, OutboxTable::outbound, state, limit);
  }

  static List<OutboundMessage> ofChat(SqlSession on, ChannelName channel, String chat, int limit) {
    return on.all(OF_CHAT, OutboxTable::outbound, channel, chat, limit);
  }

  static Optional<OutboundMessage> newestInSlot(SqlSession on, ChatAddress to, String slot) {
    return on.first(IN_SLOT, OutboxTable::outbound, to.channel(), to.chat(), slot);
  }

  static void put(ChangeRecorder changes, OutboundMessage message) {
    changes.add(
        PUT,
        message.id(),
        message.number(),
        message.to().channel(),
        message.to().chat(),
        message.to().thread(),
        ContentCodec.kindOf(message.content()),
        ContentCodec.encode(message.content()),
        message.rank(),
        message.slot(),
        message.state(),
        message.tries(),
        message.notBefore(),
        message.platformId(),
        message.run(),
        message.problem(),
        message.createdAt(),
        message.sentAt());
  }

  static int prune(SqlSession on, Instant before, int limit) {
    return on.update(PRUNE, before, limit);
  }

  private static OutboundMessage outbound(Row row) throws SQLException {
    return new OutboundMessage(
        row.parsed("outbound_id", OutboundId::of),
        row.number("number"),
        new ChatAddress(
            row.parsed("channel", ChannelName::of),
            row.text("platform_chat"),
            row.optionalText("thread")),
        ContentCodec.decode(row.text("content_kind"), row.text("content")),
        row.integer("rank"),
        row.optionalText("slot"),
        row.parsed("state", OutboundState::parse),
        row.integer("tries"),
        row.optionalInstant("not_before"),
        row.optionalText("platform_id"),
        row.optionalParsed("run_id", RunId::of),
        row.optionalText("problem"),
        row.instant("created_at"),
        row.optionalInstant("sent_at"));
  }

  static void moveChat(SqlSession on, ChannelName channel, String oldChat, String newChat) {
    on.update(MOVE_CHAT, newChat, channel, oldChat);
  }
}
