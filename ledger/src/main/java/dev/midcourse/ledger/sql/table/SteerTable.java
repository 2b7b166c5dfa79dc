package dev.midcourse.ledger.sql.table;

import dev.midcourse.core.authority.VisibleRuns;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.OnUnsupported;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.Steer.RungClaim;
import dev.midcourse.core.steer.Steer.SteerEnding;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.ledger.json.JsonCodec;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.jdbc.SqlTexts;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.ObjectReader;

/** The table steers. */
public final class SteerTable {
  private static final ObjectReader RUNGS = JsonCodec.mapper().readerForListOf(RungClaim.class);

  private static final String COLUMNS =
      """
      steer_id, run_id, seq, author_group, author_origin, mode, delivered_mode,
      on_unsupported, text, edits, key, keyed_content, expected_turn, expires_at,
      supersedes, holder, rungs, carried_to, ended, ended_at, reason\
      """;

  private static final String BY_ID =
      """
      SELECT %s
      FROM steers
      WHERE steer_id = ?
      """
          .formatted(COLUMNS);

  private static final String BY_PREFIX =
      """
      SELECT %s
      FROM steers
      WHERE steer_id >= ? AND steer_id < ?
        AND run_id IN (SELECT r.run_id FROM runs r WHERE %s)
      ORDER BY steer_id
      LIMIT ?
      """
          .formatted(COLUMNS, "%s");

  private static final String OF_RUN =
      """
      SELECT %s
      FROM steers
      WHERE run_id = ?
      ORDER BY seq
      """
          .formatted(COLUMNS);

  private static final String OPEN_OF_RUN =
      """
      SELECT %s
      FROM steers
      WHERE run_id = ? AND seq > ? AND ended IS NULL
      ORDER BY seq
      """
          .formatted(COLUMNS);

  private static final String COUNT_OPEN =
      """
      SELECT count(*)
      FROM steers
      WHERE run_id = ? AND ended IS NULL
      """;

  private static final String COUNT_OPEN_BY_RUNG =
      """
      SELECT rung, count(*) AS steers
      FROM steers
      WHERE ended IS NULL
      GROUP BY rung
      """;

  private static final String PUT =
      """
      INSERT INTO steers (
        steer_id, run_id, seq, author_group, author_origin, mode, delivered_mode,
        on_unsupported, text, edits, key, keyed_content, expected_turn, expires_at,
        supersedes, holder, rung, rungs, carried_to, stored_at, ended, ended_at, reason)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (steer_id) DO UPDATE SET
        run_id = excluded.run_id, seq = excluded.seq, author_group = excluded.author_group,
        author_origin = excluded.author_origin, mode = excluded.mode,
        delivered_mode = excluded.delivered_mode, on_unsupported = excluded.on_unsupported,
        text = excluded.text, edits = excluded.edits, key = excluded.key,
        keyed_content = excluded.keyed_content, expected_turn = excluded.expected_turn,
        expires_at = excluded.expires_at, supersedes = excluded.supersedes,
        holder = excluded.holder, rung = excluded.rung, rungs = excluded.rungs,
        carried_to = excluded.carried_to, stored_at = excluded.stored_at,
        ended = excluded.ended, ended_at = excluded.ended_at, reason = excluded.reason
      """;

  private SteerTable() {}

  static Optional<Steer> byId(SqlSession on, SteerId id) {
    return on.first(BY_ID, SteerTable::steer, id);
  }

  static List<Steer> byPrefix(SqlSession on, String prefix, VisibleRuns visible, int limit) {
    List<Object> values = new ArrayList<>(List.of(prefix, prefix + SqlTexts.AFTER_ALL_IDS));
    String sql = BY_PREFIX.formatted(RunTable.visibleCondition(visible, values));
    values.add(limit);
    return on.all(sql, SteerTable::steer, values.toArray());
  }

  static Map<Rung, Integer> countOpen(SqlSession on) {
    Map<Rung, Integer> counts = new EnumMap<>(Rung.class);
    on.all(
            COUNT_OPEN_BY_RUNG,
            row -> Map.entry(row.parsed("rung", Rung::parse), row.integer("steers")))
        .forEach(entry -> counts.put(entry.getKey(), entry.getValue()));
    return counts;
  }

  static List<Steer> ofRun(SqlSession on, RunId run) {
    return on.all(OF_RUN, SteerTable::steer, run);
  }

  static List<Steer> openOfRun(SqlSession on, RunId run, long after) {
    return on.all(OPEN_OF_RUN, SteerTable::steer, run, after);
  }

  static int countOpen(SqlSession on, RunId run) {
    return Math.toIntExact(on.number(COUNT_OPEN, run));
  }

  public static void put(ChangeRecorder changes, Steer steer) {
    changes.add(
        PUT,
        steer.id(),
        steer.run(),
        steer.seq(),
        steer.author().group(),
        steer.author().origin(),
        steer.mode(),
        steer.deliveredMode(),
        steer.onUnsupported(),
        steer.text(),
        steer.edits(),
        steer.key(),
        steer.keyedContent(),
        steer.expectedTurn(),
        steer.expiresAt(),
        steer.supersedes(),
        steer.holder(),
        steer.rung(),
        JsonCodec.write(steer.rungs()),
        steer.carriedTo(),
        steer.storedAt(),
        steer.ended().map(SteerEnding::how),
        steer.ended().map(SteerEnding::at),
        steer.ended().map(SteerEnding::reason));
  }

  static Steer steer(Row row) throws SQLException {
    return new Steer(
        row.parsed("steer_id", SteerId::of),
        row.parsed("run_id", RunId::of),
        row.number("seq"),
        new Author(row.parsed("author_group", GroupName::of), row.text("author_origin")),
        row.parsed("mode", SteerMode::parse),
        row.optionalParsed("delivered_mode", SteerMode::parse),
        row.parsed("on_unsupported", OnUnsupported::parse),
        row.parsed("text", SteerText::of),
        row.integer("edits"),
        row.optionalParsed("key", IdempotencyKey::of),
        row.optionalText("keyed_content"),
        row.optionalInteger("expected_turn"),
        row.optionalInstant("expires_at"),
        row.optionalParsed("supersedes", SteerId::of),
        row.integer("holder"),
        row.<List<RungClaim>>parsed("rungs", RUNGS::readValue),
        row.optionalText("carried_to"),
        ending(row));
  }

  private static Optional<SteerEnding> ending(Row row) throws SQLException {
    Instant at = row.instant("ended_at");
    String reason = row.optionalText("reason").orElse("");
    return row.optionalParsed("ended", SteerEnd::parse)
        .map(how -> new SteerEnding(how, at, reason));
  }
}
