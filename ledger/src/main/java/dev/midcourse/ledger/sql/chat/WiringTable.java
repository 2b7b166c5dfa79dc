package dev.midcourse.ledger.sql.chat;

import dev.midcourse.core.chat.ChatId;
import dev.midcourse.core.chat.EngageMode;
import dev.midcourse.core.chat.EngagePattern;
import dev.midcourse.core.chat.Engagement;
import dev.midcourse.core.chat.IgnoredMessagePolicy;
import dev.midcourse.core.chat.LiveRunPolicy;
import dev.midcourse.core.chat.SenderScope;
import dev.midcourse.core.chat.SessionMode;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.WiringId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.jdbc.SqlTimes;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The table wirings. */
final class WiringTable {
  private static final String COLUMNS =
      """
      wiring_id, chat_id, worker, engage_mode, engage_pattern, sender_scope,
      ignored_message_policy, session_mode, priority, on_live_run, debounce, created_at\
      """;

  private static final String BY_ID =
      "SELECT %s FROM wirings WHERE wiring_id = ?".formatted(COLUMNS);

  private static final String OF_CHAT =
      """
      SELECT %s
      FROM wirings
      WHERE chat_id = ?
      ORDER BY priority DESC, created_at, wiring_id
      """
          .formatted(COLUMNS);

  private static final String ALL =
      "SELECT %s FROM wirings ORDER BY created_at, wiring_id".formatted(COLUMNS);

  private static final String PUT =
      """
      INSERT INTO wirings (
        wiring_id, chat_id, worker, engage_mode, engage_pattern, sender_scope,
        ignored_message_policy, session_mode, priority, on_live_run, debounce, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (wiring_id) DO UPDATE SET
        chat_id = excluded.chat_id, worker = excluded.worker, engage_mode = excluded.engage_mode,
        engage_pattern = excluded.engage_pattern, sender_scope = excluded.sender_scope,
        ignored_message_policy = excluded.ignored_message_policy,
        session_mode = excluded.session_mode, priority = excluded.priority,
        on_live_run = excluded.on_live_run, debounce = excluded.debounce,
        created_at = excluded.created_at
      """;

  private static final String DELETE = "DELETE FROM wirings WHERE wiring_id = ?";

  private WiringTable() {}

  static Optional<Wiring> byId(SqlSession on, WiringId id) {
    return on.first(BY_ID, WiringTable::wiring, id);
  }

  static List<Wiring> ofChat(SqlSession on, ChatId chat) {
    return on.all(OF_CHAT, WiringTable::wiring, chat);
  }

  static List<Wiring> all(SqlSession on) {
    return on.all(ALL, WiringTable::wiring);
  }

  static void put(ChangeRecorder changes, Wiring wiring) {
    changes.add(
        PUT,
        wiring.id(),
        wiring.chat(),
        wiring.worker(),
        wiring.engagement().mode(),
        wiring.engagement().pattern(),
        wiring.senderScope(),
        wiring.ignored(),
        wiring.sessionMode(),
        wiring.priority(),
        wiring.onLiveRun(),
        SqlTimes.nanos(wiring.debounce()),
        wiring.createdAt());
  }

  static void delete(ChangeRecorder changes, WiringId wiring) {
    changes.add(DELETE, wiring);
  }

  private static Wiring wiring(Row row) throws SQLException {
    return new Wiring(
        row.parsed("wiring_id", WiringId::of),
        row.parsed("chat_id", ChatId::of),
        row.parsed("worker", WorkerName::of),
        new Engagement(
            row.parsed("engage_mode", EngageMode::parse),
            row.optionalParsed("engage_pattern", EngagePattern::of)),
        row.parsed("sender_scope", SenderScope::parse),
        row.parsed("ignored_message_policy", IgnoredMessagePolicy::parse),
        row.parsed("session_mode", SessionMode::parse),
        row.integer("priority"),
        row.parsed("on_live_run", LiveRunPolicy::parse),
        Duration.ofNanos(row.number("debounce")),
        row.instant("created_at"));
  }
}
