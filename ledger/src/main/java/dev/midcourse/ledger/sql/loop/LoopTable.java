package dev.midcourse.ledger.sql.loop;

import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.forge.ForgeWrite;
import dev.midcourse.ledger.json.LoopCodec;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.jdbc.SqlTexts;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The tables of loops. */
final class LoopTable {
  private static final String BY_ID = "SELECT body FROM loops WHERE loop_id = ?";

  private static final String UNENDED =
      "SELECT body FROM loops WHERE ended_at IS NULL ORDER BY created_at, loop_id";

  private static final String NEWEST =
      "SELECT body FROM loops ORDER BY created_at DESC, loop_id LIMIT ?";

  private static final String OF_RUN = "SELECT loop_id FROM loop_runs WHERE run_id = ?";

  private static final String WITH_GUIDANCE =
      "SELECT loop_id FROM loop_guidance WHERE steer_id = ?";

  private static final String GUIDANCE_STARTING_WITH =
      """
      SELECT steer_id FROM loop_guidance WHERE steer_id >= ? AND steer_id < ?
      ORDER BY steer_id LIMIT ?
      """;

  private static final String PUT =
      """
      INSERT INTO loops (loop_id, phase, worker, created_at, ended_at, body)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (loop_id) DO UPDATE SET
        phase = excluded.phase, ended_at = excluded.ended_at, body = excluded.body
      """;

  private static final String PUT_RUN =
      "INSERT INTO loop_runs (run_id, loop_id) VALUES (?, ?) ON CONFLICT (run_id) DO NOTHING";

  private static final String PUT_GUIDANCE =
      """
      INSERT INTO loop_guidance (steer_id, loop_id) VALUES (?, ?)
      ON CONFLICT (steer_id) DO NOTHING
      """;

  private static final String FORGE_WRITES =
      "SELECT body FROM loop_forge_acts WHERE loop_id = ? ORDER BY number, act_key";

  private static final String PUT_FORGE_WRITE =
      """
      INSERT INTO loop_forge_acts (loop_id, act_key, number, state, body) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (loop_id, act_key) DO UPDATE SET
        number = excluded.number, state = excluded.state, body = excluded.body
      """;

  private static final String PRUNE = "DELETE FROM loops WHERE ended_at < ?";

  private LoopTable() {}

  static Optional<Loop> byId(SqlSession on, LoopId id) {
    return on.first(BY_ID, row -> row.parsed("body", LoopCodec::decode), id);
  }

  static List<Loop> unended(SqlSession on) {
    return on.all(UNENDED, row -> row.parsed("body", LoopCodec::decode));
  }

  static List<Loop> newest(SqlSession on, int limit) {
    return on.all(NEWEST, row -> row.parsed("body", LoopCodec::decode), limit);
  }

  static Optional<LoopId> ofRun(SqlSession on, RunId run) {
    return on.first(OF_RUN, row -> row.parsed("loop_id", LoopId::of), run);
  }

  static Optional<LoopId> withGuidance(SqlSession on, SteerId guidance) {
    return on.first(WITH_GUIDANCE, row -> row.parsed("loop_id", LoopId::of), guidance);
  }

  static List<SteerId> guidanceStartingWith(SqlSession on, String prefix, int limit) {
    return on.all(
        GUIDANCE_STARTING_WITH,
        row -> row.parsed("steer_id", SteerId::of),
        prefix,
        prefix + SqlTexts.AFTER_ALL_IDS,
        limit);
  }

  static List<ForgeWrite> forgeWrites(SqlSession on, LoopId loop) {
    return on.all(FORGE_WRITES, row -> row.parsed("body", LoopCodec::decodeWrite), loop);
  }

  static void put(ChangeRecorder changes, ForgeWrite write) {
    changes.add(
        PUT_FORGE_WRITE,
        write.loop(),
        write.key(),
        write.number(),
        write.state(),
        LoopCodec.encode(write));
  }

  static void put(ChangeRecorder changes, Loop loop) {
    changes.add(
        PUT,
        loop.id(),
        loop.phase(),
        loop.spec().worker(),
        loop.createdAt(),
        loop.endedAt(),
        LoopCodec.encode(loop));
    loop.calls().forEach(call -> putRun(changes, call.run(), loop.id()));
    loop.guidance().forEach(guidance -> changes.add(PUT_GUIDANCE, guidance.id(), loop.id()));
  }

  static void putRun(ChangeRecorder changes, RunId run, LoopId loop) {
    changes.add(PUT_RUN, run, loop);
  }

  static void prune(ChangeRecorder changes, Instant endedBefore) {
    changes.add(PRUNE, endedBefore);
  }
}
