package dev.midcourse.ledger.sql.table;

import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.authority.NamePattern;
import dev.midcourse.core.authority.VisibleRuns;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.IdlePeriod;
import dev.midcourse.core.run.Lease;
import dev.midcourse.core.run.Need;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.watch.Progress;
import dev.midcourse.ledger.RunQuery;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.jdbc.SqlTexts;
import dev.midcourse.ledger.sql.jdbc.SqlTimes;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The tables runs and briefs. The number of steers is the largest sequence number, without gaps.
 */
public final class RunTable {
  /** The columns that change while the run lives. */
  private static final String STATE_COLUMNS =
      """
      r.state, r.attempt, r.failures, r.not_before, r.turn, r.session_id,
      r.lease_host, r.lease_until, r.stop_asked, r.prompt_due,
      r.progress_phase, r.progress_summary, r.progress_tool, r.progress_seq, r.progress_at,
      r.needs,
      (SELECT coalesce(max(s.seq), 0) FROM steers s WHERE s.run_id = r.run_id) AS steers,
      r.input_tokens, r.output_tokens, r.micro_dollars,
      r.created_at, r.started_at, r.ended_at, r.result,
      r.idle_since, r.idle_until, r.idled\
      """;

  static final String COLUMNS =
      """
      r.run_id, b.prompt, r.agent, r.worker, r.dir, r.author_group, r.author_origin,
      r.pending, r.most_attempts, r.asked_session_id, r.parent_run_id, b.dispatch,
      r.linger,
      %s\
      """
          .formatted(STATE_COLUMNS);

  private static final String STATE_BY_ID =
      """
      SELECT %s
      FROM runs r
      WHERE r.run_id = ?
      """
          .formatted(STATE_COLUMNS);

  private static final String BY_ID =
      """
      SELECT %s
      FROM runs r
      JOIN briefs b ON b.run_id = r.run_id
      WHERE r.run_id = ?
      """
          .formatted(COLUMNS);

  private static final String BY_PREFIX =
      """
      SELECT %s
      FROM runs r
      JOIN briefs b ON b.run_id = r.run_id
      WHERE r.run_id >= ? AND r.run_id < ? AND %s
      ORDER BY r.nr DESC
      LIMIT ?
      """
          .formatted(COLUMNS, "%s");

  private static final String NEWEST_OF_SESSION =
      """
      SELECT %s
      FROM runs r
      JOIN briefs b ON b.run_id = r.run_id
      WHERE r.session_id = ?
      ORDER BY r.nr DESC
      LIMIT 1
      """
          .formatted(COLUMNS);

  private static final String LIVE_OF_SESSION =
      """
      SELECT %s
      FROM runs r
      JOIN briefs b ON b.run_id = r.run_id
      WHERE r.session_id = ? AND r.agent = ? AND r.state IN ('queued', 'running')
      ORDER BY r.nr
      """
          .formatted(COLUMNS);

  private static final String LIVE =
      """
      SELECT %s
      FROM runs r
      JOIN briefs b ON b.run_id = r.run_id
      WHERE r.state IN ('queued', 'running')
      ORDER BY r.nr
      """
          .formatted(COLUMNS);

  /** The conditions of a query go into the place that is left open. */
  private static final String PAGE =
      """
      SELECT %s
      FROM runs r
      JOIN briefs b ON b.run_id = r.run_id
      WHERE %s
      ORDER BY r.nr DESC
      LIMIT ?
      """
          .formatted(COLUMNS, "%s");

  private static final String IN_FOLDER =
      """
      SELECT %s
      FROM runs r
      JOIN briefs b ON b.run_id = r.run_id
      WHERE %s AND r.dir = ?
      ORDER BY r.nr
      """
          .formatted(COLUMNS, "%s");

  private static final String COUNT =
      """
      SELECT state, count(*) AS runs
      FROM runs
      GROUP BY state
      """;

  private static final String PLACE_IN_QUEUE =
      """
      SELECT count(*)
      FROM runs
      WHERE worker = ? AND state = 'queued' AND nr < (SELECT nr FROM runs WHERE run_id = ?)
      """;

  private static final String PUT =
      """
      INSERT INTO runs (
        run_id, nr, state, agent, worker, dir, author_group, author_origin, pending,
        most_attempts, asked_session_id, parent_run_id, attempt, failures, not_before, turn,
        session_id, lease_host, lease_until, stop_asked, prompt_due, progress_phase,
        progress_summary, progress_tool, progress_seq, progress_at, needs, input_tokens, output_tokens,
        micro_dollars, created_at, started_at, ended_at, result,
        linger, idle_since, idle_until, idled)
      VALUES (
        ?, (SELECT coalesce(max(nr), 0) + 1 FROM runs), ?, ?, ?, ?, ?, ?, ?,
        ?, ?, ?, ?, ?, ?, ?,
        ?, ?, ?, ?, ?, ?,
        ?, ?, ?, ?, ?, ?, ?,
        ?, ?, ?, ?, ?,
        ?, ?, ?, ?)
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
        started_at = excluded.started_at, ended_at = excluded.ended_at, result = excluded.result,
        linger = excluded.linger, idle_since = excluded.idle_since,
        idle_until = excluded.idle_until, idled = excluded.idled
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

  /** Reads the state only, for a caller that has the spec. */
  public static Optional<Run> byId(SqlSession on, RunId id, RunSpec spec) {
    return on.first(STATE_BY_ID, row -> run(id, spec, row), id);
  }

  static List<Run> byPrefix(SqlSession on, String prefix, VisibleRuns visible, int limit) {
    List<Object> values = new ArrayList<>(List.of(prefix, prefix + SqlTexts.AFTER_ALL_IDS));
    String sql = BY_PREFIX.formatted(visibleCondition(visible, values));
    values.add(limit);
    return on.all(sql, RunTable::run, values.toArray());
  }

  static Optional<Run> newestOf(SqlSession on, SessionId session) {
    return on.first(NEWEST_OF_SESSION, RunTable::run, session);
  }

  static List<Run> liveOf(SqlSession on, AgentName agent, SessionId session) {
    return on.all(LIVE_OF_SESSION, RunTable::run, session, agent);
  }

  static List<Run> live(SqlSession on) {
    return on.all(LIVE, RunTable::run);
  }

  static Map<RunState, Integer> count(SqlSession on) {
    Map<RunState, Integer> counts = new EnumMap<>(RunState.class);
    on.all(COUNT, row -> Map.entry(row.parsed("state", RunState::parse), row.integer("runs")))
        .forEach(entry -> counts.put(entry.getKey(), entry.getValue()));
    return counts;
  }

  static int placeInQueue(SqlSession on, Run run) {
    return Math.toIntExact(on.number(PLACE_IN_QUEUE, run.spec().worker(), run.id()));
  }

  static List<Run> page(SqlSession on, RunQuery query) {
    List<String> conditions = new ArrayList<>(List.of("1 = 1"));
    List<Object> values = new ArrayList<>();
    if (!query.states().isEmpty()) {
      conditions.add(stateIsOneOf(query.states()));
      values.addAll(query.states());
    }
    query
        .worker()
        .ifPresent(worker -> {
          conditions.add("r.worker = ?");
          values.add(worker);
        });
    conditions.add(visibleCondition(query.visibleRuns(), values));
    query
        .olderThan()
        .ifPresent(newer -> {
          conditions.add("r.nr < (SELECT nr FROM runs WHERE run_id = ?)");
          values.add(newer);
        });
    query
        .needingSince()
        .ifPresent(time -> {
          conditions.add(
              "r.needs IS NOT NULL AND (r.ended_at IS NULL OR r.state = ? OR r.ended_at >= ?)");
          values.addAll(List.of(RunState.REVIEW_REQUESTED, time));
        });
    values.add(query.limit());
    String sql = PAGE.formatted(String.join(" AND ", conditions));
    return on.all(sql, RunTable::run, values.toArray());
  }

  /** The condition for visible runs {@code r}; adds its values. */
  static String visibleCondition(VisibleRuns visible, List<Object> values) {
    return switch (visible) {
      case VisibleRuns.Everything _ -> "1 = 1";
      case VisibleRuns.Only only -> "(" + within(only, values) + ")";
    };
  }

  /** It agrees with {@link NamePattern#matches}. */
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
    return on.all(IN_FOLDER.formatted(stateIsOneOf(states)), RunTable::run, values.toArray());
  }

  private static String stateIsOneOf(Set<RunState> states) {
    return "r.state IN (" + String.join(", ", Collections.nCopies(states.size(), "?")) + ")";
  }

  public static void put(ChangeRecorder changes, Run run) {
    RunSpec spec = run.spec();
    changes.add(
        PUT,
        run.id(),
        run.state(),
        spec.agent(),
        spec.worker(),
        spec.workspace(),
        spec.author().group(),
        spec.author().origin(),
        spec.pending(),
        spec.maxAttempts(),
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
        run.result(),
        spec.linger().map(SqlTimes::nanos),
        run.idle().map(IdlePeriod::since),
        run.idle().map(IdlePeriod::until),
        SqlTimes.nanos(run.idled()));
  }

  public static void putBrief(ChangeRecorder changes, Run run) {
    changes.add(PUT_BRIEF, run.id(), run.spec().prompt(), run.spec().dispatch());
  }

  static Run run(Row row) throws SQLException {
    return run(row.parsed("run_id", RunId::of), spec(row), row);
  }

  private static Run run(RunId id, RunSpec spec, Row row) throws SQLException {
    return new Run(
        id,
        spec,
        row.parsed("state", RunState::parse),
        row.integer("attempt"),
        row.integer("failures"),
        row.optionalInstant("not_before"),
        row.integer("turn"),
        row.optionalParsed("session_id", SessionId::of),
        lease(row),
        row.flag("stop_asked"),
        row.flag("prompt_due"),
        progress(row),
        row.optionalParsed("needs", Need::parse),
        row.number("steers"),
        new Usage(
            row.number("input_tokens"), row.number("output_tokens"), row.number("micro_dollars")),
        row.instant("created_at"),
        row.optionalInstant("started_at"),
        row.optionalInstant("ended_at"),
        row.optionalText("result"),
        idle(row),
        Duration.ofNanos(row.number("idled")));
  }

  private static RunSpec spec(Row row) throws SQLException {
    return new RunSpec(
        row.text("prompt"),
        row.parsed("agent", AgentName::of),
        row.parsed("worker", WorkerName::of),
        row.text("dir"),
        new Author(row.parsed("author_group", GroupName::of), row.text("author_origin")),
        row.parsed("pending", PendingPolicy::parse),
        row.integer("most_attempts"),
        row.optionalParsed("asked_session_id", SessionId::of),
        row.optionalParsed("parent_run_id", RunId::of),
        row.optionalText("dispatch"),
        row.optionalNumber("linger").map(Duration::ofNanos));
  }

  private static Optional<Lease> lease(Row row) throws SQLException {
    Instant until = row.instant("lease_until");
    return row.optionalParsed("lease_host", HostName::of).map(host -> new Lease(host, until));
  }

  private static Optional<IdlePeriod> idle(Row row) throws SQLException {
    Instant until = row.instant("idle_until");
    return row.optionalInstant("idle_since").map(since -> new IdlePeriod(since, until));
  }

  private static Optional<Progress> progress(Row row) throws SQLException {
    String summary = row.optionalText("progress_summary").orElse("");
    Optional<String> tool = row.optionalText("progress_tool");
    long seq = row.number("progress_seq");
    Instant at = row.instant("progress_at");
    return row.optionalText("progress_phase")
        .map(phase -> new Progress(phase, summary, tool, seq, at));
  }
}
