package dev.midcourse.ledger.sql.table;

import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.OnUnsupported;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.RungClaim;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerEnding;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.ledger.json.JsonCodec;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.write.PendingWrites;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.ObjectReader;

/** Steers as rows. */
public final class SteerTable {
  private static final ObjectReader RUNGS = JsonCodec.mapper().readerForListOf(RungClaim.class);

  static final String COLUMNS =
      """
      s.steer_id, s.run_id, s.seq, s.author_group, s.author_origin, s.mode, s.delivered_mode,
      s.on_unsupported, s.text, s.edits, s.key, s.keyed_content, s.expected_turn, s.expires_at,
      s.supersedes, s.holder, s.rungs, s.carried_to, s.ended, s.ended_at, s.reason
      """;

  private static final String SELECT = "SELECT " + COLUMNS + "FROM steers s\n";

  private static final String BY_ID = SELECT + "WHERE steer_id = ?";

  private static final String BY_PREFIX =
      SELECT + "WHERE steer_id >= ? AND steer_id < ? ORDER BY steer_id LIMIT ?";

  private static final String OF_RUN = SELECT + "WHERE run_id = ? ORDER BY seq";

  private static final String OPEN_OF_RUN =
      SELECT + "WHERE run_id = ? AND seq > ? AND ended IS NULL ORDER BY seq";

  private static final String COUNT_OPEN =
      "SELECT count(*) FROM steers WHERE run_id = ? AND ended IS NULL";

  private static final String COUNT_OPEN_BY_RUNG =
      "SELECT rung, count(*) FROM steers WHERE ended IS NULL GROUP BY rung";

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

  static List<Steer> byPrefix(SqlSession on, String prefix, int most) {
    return on.all(BY_PREFIX, SteerTable::steer, prefix, Ranges.after(prefix), most);
  }

  static Map<Rung, Integer> countOpen(SqlSession on) {
    Map<Rung, Integer> counts = new EnumMap<>(Rung.class);
    on.all(COUNT_OPEN_BY_RUNG, row -> Map.entry(row.as(Rung::parse), row.count()))
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

  public static void put(PendingWrites draft, Steer steer) {
    draft.change(
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
        row.as(SteerId::of),
        row.as(RunId::of),
        row.number(),
        new Author(row.as(GroupName::of), row.text()),
        row.as(SteerMode::parse),
        row.maybe(SteerMode::parse),
        row.as(OnUnsupported::parse),
        row.as(SteerText::of),
        row.count(),
        row.maybe(IdempotencyKey::of),
        row.maybeText(),
        row.maybeCount(),
        row.maybeTime(),
        row.maybe(SteerId::of),
        row.count(),
        row.<List<RungClaim>>as(RUNGS::readValue),
        row.maybeText(),
        ending(row));
  }

  private static Optional<SteerEnding> ending(Row row) throws SQLException {
    Optional<SteerEnd> how = row.maybe(SteerEnd::parse);
    Instant at = row.time();
    Optional<String> reason = row.maybeText();
    return how.map(itsWay -> new SteerEnding(itsWay, at, reason.orElse("")));
  }
}
