package dev.midcourse.ledger.sql.table;

import dev.midcourse.core.authority.NamePattern;
import dev.midcourse.core.authority.VisibleRuns;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Lease;
import dev.midcourse.core.run.Need;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.run.Usage;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.watch.Progress;
import dev.midcourse.ledger.RunQuery;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.write.PendingWrites;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Runs and their briefs as rows. A run's steers are counted by their sequence, without a gap. */
public final class RunTable {
  private static final String STANDING =
      """
      r.state, r.attempt, r.failures, r.not_before, r.turn, r.session_id,
      r.lease_host, r.lease_until, r.stop_asked, r.prompt_due,
      r.progress_phase, r.progress_summary, r.progress_tool, r.progress_seq, r.progress_at,
      r.needs, (SELECT coalesce(max(s.seq), 0) FROM steers s WHERE s.run_id = r.run_id),
      r.input_tokens, r.output_tokens, r.micro_dollars,
      r.created_at, r.started_at, r.ended_at, r.result
      """;

  static final String COLUMNS =
      """
      r.run_id, b.prompt, r.agent, r.worker, r.dir, r.author_group, r.author_origin,
      r.pending, r.most_attempts, r.asked_session_id, r.parent_run_id, b.dispatch,
      %s
      """
          .formatted(STANDING);

  static final String FROM = "FROM runs r JOIN briefs b ON b.run_id = r.run_id\n";

  private static final String SELECT = "SELECT " + COLUMNS + FROM;

  private static final String STANDING_BY_ID =
      "SELECT " + STANDING + "FROM runs r WHERE r.run_id = ?";

  private static final String BY_ID = SELECT + "WHERE r.run_id = ?";

  private static final String BY_PREFIX =
      SELECT + "WHERE r.run_id >= ? AND r.run_id < ? ORDER BY r.nr DESC LIMIT ?";

  private static final String NEWEST_OF_SESSION =
      SELECT + "WHERE r.session_id = ? ORDER BY r.nr DESC LIMIT 1";

  private static final String LIVE =
      SELECT + "WHERE r.state IN ('queued', 'running') ORDER BY r.nr";

  private static final String COUNT = "SELECT state, count(*) FROM runs GROUP BY state";

  private static final String PLACE =
      """
      SELECT count(*) FROM runs
      WHERE worker = ? AND state = 'queued' AND nr < (SELECT nr FROM runs WHERE run_id = ?)
      """;

  private static final String PUT =
      """
      INSERT INTO runs (
        run_id, nr, state, agent, worker, dir, author_group, author_origin, pending,
        most_attempts, asked_session_id, parent_run_id, attempt, failures, not_before, turn,
        session_id, lease_host, lease_until, stop_asked, prompt_due, progress_phase,
        progress_summary, progress_tool, progress_seq, progress_at, needs, input_tokens, output_tokens,
        micro_dollars, created_at, started_at, ended_at, result)
      VALUES (
        ?, (SELECT coalesce(max(nr), 0) + 1 FROM runs), ?, ?, ?, ?, ?, ?, ?,
        ?, ?, ?, ?, ?, ?, ?,
        ?, ?, ?, ?, ?, ?,
        ?, ?, ?, ?, ?, ?, ?,
        ?, ?, ?, ?, ?)
      ON CONFLICT (run_id) DO UPDATE SET
        state = excluded.state, agent = excluded.agent, worker = excluded.worker,
        dir = excluded.dir, author_group = excluded.author_group,
        author_origin = excluded.author_origin, pending = excluded.pending,
        most_attempts = excluded.most_attempts, asked_session_id = excluded.asked_session_id,
        parent_run_id = excluded.parent_run_id, attempt = excluded.attempt,
        failures = excluded.failures, not_before = excluded.not_before, turn = excluded.turn,
        session_id = excluded.session_id, lease_host = excluded.lease_host,
        lease_until = excluded.lease_until, stop_asked = excluded.stop_asked,
        prompt_due = excluded.prompt_due,
        progress_phase = excluded.progress_phase, progress_summary = excluded.progress_summary,
        progress_tool = excluded.progress_tool, progress_seq = excluded.progress_seq,
        progress_at = excluded.progress_at, needs = excluded.needs,
        input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
        micro_dollars = excluded.micro_dollars, created_at = excluded.created_at,
        started_at = excluded.started_at, ended_at = excluded.ended_at, result = excluded.result
      """;

  private static final String PUT_BRIEF =
      """
      INSERT INTO briefs (run_id, prompt, dispatch) VALUES (?, ?, ?)
      ON CONFLICT (run_id) DO UPDATE SET prompt = excluded.prompt, dispatch = excluded.dispatch
      """;

  private RunTable() {}

  static Optional<Run> byId(SqlSession on, RunId id) {
    return on.first(BY_ID, RunTable::run, id);
  }

  /** For whoever knows what the run is to do. */
  public static Optional<Run> byId(SqlSession on, RunId id, RunSpec spec) {
    return on.first(STANDING_BY_ID, row -> run(id, spec, row), id);
  }

  static List<Run> byPrefix(SqlSession on, String prefix, int most) {
    return on.all(BY_PREFIX, RunTable::run, prefix, Ranges.after(prefix), most);
  }

  static Optional<Run> newestOf(SqlSession on, SessionId session) {
    return on.first(NEWEST_OF_SESSION, RunTable::run, session);
  }

  static List<Run> live(SqlSession on) {
    return on.all(LIVE, RunTable::run);
  }

  static Map<RunState, Integer> count(SqlSession on) {
    Map<RunState, Integer> counts = new EnumMap<>(RunState.class);
    on.all(COUNT, row -> Map.entry(row.as(RunState::parse), row.count()))
        .forEach(entry -> counts.put(entry.getKey(), entry.getValue()));
    return counts;
  }

  static int placeInQueue(SqlSession on, Run run) {
    return Math.toIntExact(on.number(PLACE, run.spec().worker(), run.id()));
  }

  static List<Run> page(SqlSession on, RunQuery query) {
    StringBuilder sql = new StringBuilder(SELECT).append("WHERE 1 = 1");
    List<Object> values = new ArrayList<>();
    if (!query.states().isEmpty()) {
      sql.append(" AND ").append(stateIsOneOf(query.states()));
      values.addAll(query.states());
    }
    query
        .worker()
        .ifPresent(worker -> {
          sql.append(" AND r.worker = ?");
          values.add(worker);
        });
    if (query.visibleRuns() instanceof VisibleRuns.Only seen) {
      sql.append(" AND (").append(within(seen, values)).append(')');
    }
    query
        .olderThan()
        .ifPresent(newer -> {
          sql.append(" AND r.nr < (SELECT nr FROM runs WHERE run_id = ?)");
          values.add(newer);
        });
    sql.append(" ORDER BY r.nr DESC LIMIT ?");
    values.add(query.limit());
    return on.all(sql.toString(), RunTable::run, values.toArray());
  }

  /** What is true of a run that is seen; the same as {@link NamePattern#matches} says. */
  private static String within(VisibleRuns.Only seen, List<Object> values) {
    List<String> either = new ArrayList<>(List.of("1 = 0"));
    for (NamePattern pattern : seen.workers()) {
      if (pattern.many()) {
        String beginning = pattern.text().substring(0, pattern.text().length() - 1);
        either.add("(substr(r.worker, 1, CAST(? AS INTEGER)) = ? AND length(r.worker) > ?)");
        values.addAll(List.of(beginning.length(), beginning, beginning.length()));
      } else {
        either.add("r.worker = ?");
        values.add(pattern.text());
      }
    }
    seen.own()
        .ifPresent(own -> {
          either.add("r.run_id = ?");
          values.add(own);
        });
    return String.join(" OR ", either);
  }

  static List<Run> in(SqlSession on, String dir, Set<RunState> states) {
    List<Object> values = new ArrayList<>(states);
    values.add(dir);
    return on.all(
        SELECT + "WHERE " + stateIsOneOf(states) + " AND r.dir = ? ORDER BY r.nr",
        RunTable::run,
        values.toArray());
  }

  private static String stateIsOneOf(Set<RunState> states) {
    return "r.state IN (" + String.join(", ", Collections.nCopies(states.size(), "?")) + ")";
  }

  public static void put(PendingWrites draft, Run run) {
    RunSpec spec = run.spec();
    draft.change(
        PUT,
        run.id(),
        run.state(),
        spec.agent(),
        spec.worker(),
        spec.workspace(),
        spec.author().group(),
        spec.author().origin(),
        spec.pending(),
        spec.mostAttempts(),
        spec.session(),
        spec.parent(),
        run.attempt(),
        run.failures(),
        run.notBefore(),
        run.turn(),
        run.session(),
        run.lease().map(Lease::host),
        run.lease().map(Lease::until),
        run.stopAsked(),
        run.promptDue(),
        run.progress().map(Progress::phase),
        run.progress().map(Progress::summary),
        run.progress().flatMap(Progress::tool),
        run.progress().map(Progress::seq),
        run.progress().map(Progress::at),
        run.needs().map(Need::text),
        run.spent().inputTokens(),
        run.spent().outputTokens(),
        run.spent().microDollars(),
        run.createdAt(),
        run.startedAt(),
        run.endedAt(),
        run.result());
  }

  public static void putBrief(PendingWrites draft, Run run) {
    draft.change(PUT_BRIEF, run.id(), run.spec().prompt(), run.spec().dispatch());
  }

  static Run run(Row row) throws SQLException {
    return run(row.as(RunId::of), spec(row), row);
  }

  private static Run run(RunId id, RunSpec spec, Row row) throws SQLException {
    return new Run(
        id,
        spec,
        row.as(RunState::parse),
        row.count(),
        row.count(),
        row.maybeTime(),
        row.count(),
        row.maybe(SessionId::of),
        lease(row),
        row.flag(),
        row.flag(),
        progress(row),
        row.maybe(Need::parse),
        row.number(),
        new Usage(row.number(), row.number(), row.number()),
        row.time(),
        row.maybeTime(),
        row.maybeTime(),
        row.maybeText());
  }

  private static RunSpec spec(Row row) throws SQLException {
    return new RunSpec(
        row.text(),
        row.as(AgentName::of),
        row.as(WorkerName::of),
        row.text(),
        new Author(row.as(GroupName::of), row.text()),
        row.as(PendingPolicy::parse),
        row.count(),
        row.maybe(SessionId::of),
        row.maybe(RunId::of),
        row.maybeText());
  }

  private static Optional<Lease> lease(Row row) throws SQLException {
    Optional<HostName> host = row.maybe(HostName::of);
    Instant until = row.time();
    return host.map(itsHost -> new Lease(itsHost, until));
  }

  private static Optional<Progress> progress(Row row) throws SQLException {
    Optional<String> phase = row.maybeText();
    Optional<String> summary = row.maybeText();
    Optional<String> tool = row.maybeText();
    long seq = row.number();
    Instant at = row.time();
    return phase.map(itsPhase -> new Progress(itsPhase, summary.orElse(""), tool, seq, at));
  }
}
