package dev.midcourse.ledger.sql.write;

import dev.midcourse.core.event.EventKind;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.ledger.Transaction;
import dev.midcourse.ledger.json.EventCodec;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.jdbc.SqlTexts;
import dev.midcourse.ledger.sql.table.AskTable;
import dev.midcourse.ledger.sql.table.AttemptTable;
import dev.midcourse.ledger.sql.table.RunPruner;
import dev.midcourse.ledger.sql.table.RunTable;
import dev.midcourse.ledger.sql.table.SqlLedgerReader;
import dev.midcourse.ledger.sql.table.SteerTable;
import dev.midcourse.ledger.sql.table.SteerTargetQuery;
import dev.midcourse.ledger.sql.table.TurnTable;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One piece of work in a transaction. What it changes is written down in its draft, and the store
 * is told before the work, or one after it, asks about the same.
 */
public final class SqlTransaction extends SqlLedgerReader implements Transaction {
  private static final String KEEP =
      """
      INSERT INTO keepsakes (name, value) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
      """;

  /** A group's key, as something to ask about. */
  private record KeyOf(GroupName group, IdempotencyKey key) {}

  private final WriteBehindBuffer buffer;
  private final PendingWrites draft;
  private final Map<RunId, RunSpec> knownSpecs = new HashMap<>();

  SqlTransaction(SqlSession on, WriteBehindBuffer buffer, PendingWrites draft) {
    super(on);
    this.buffer = buffer;
    this.draft = draft;
  }

  @Override
  public SqlSession about(Object subject) {
    buffer.asked(subject, draft);
    return on;
  }

  @Override
  public SqlSession aboutAll() {
    buffer.askedAboutAll(draft);
    return on;
  }

  @Override
  public Optional<Run> run(RunId id) {
    Optional<Run> run = super.run(id);
    run.ifPresent(found -> knownSpecs.put(id, found.spec()));
    return run;
  }

  @Override
  public Optional<Run> run(RunId id, RunSpec spec) {
    knownSpecs.put(id, spec);
    return RunTable.byId(about(id), id, spec);
  }

  @Override
  public Optional<Addressed> addressed(RunId run, GroupName group, Optional<IdempotencyKey> key) {
    key.ifPresent(itsKey -> about(new KeyOf(group, itsKey)));
    Optional<Addressed> addressed = SteerTargetQuery.of(about(run), run, group, key);
    addressed.ifPresent(found -> knownSpecs.put(run, found.run().spec()));
    return addressed;
  }

  @Override
  public void put(Run run) {
    RunTable.put(draft.about(run.id()), run);
    if (!run.spec().equals(knownSpecs.put(run.id(), run.spec()))) {
      RunTable.putBrief(draft, run);
    }
  }

  @Override
  public void put(Steer steer) {
    draft.about(steer.id()).about(steer.run());
    steer.key().ifPresent(key -> draft.about(new KeyOf(steer.author().group(), key)));
    SteerTable.put(draft, steer);
  }

  @Override
  public void put(Attempt attempt) {
    AttemptTable.put(draft.about(attempt.run()), attempt);
  }

  @Override
  public void heard(Attempt attempt) {
    AttemptTable.heard(draft.about(attempt.run()), attempt);
  }

  @Override
  public void put(TurnRecord turn) {
    TurnTable.put(draft.about(turn.run()), turn);
  }

  @Override
  public void put(Ask ask) {
    AskTable.put(draft.about(ask.run()), ask);
  }

  @Override
  public void append(RunId run, Instant at, RunEvent event) {
    String body = SqlTexts.storable(EventCodec.encode(event));
    draft.append(at, run, EventKind.of(event), body);
  }

  @Override
  public void putSetting(String name, String value) {
    draft.about(name).change(KEEP, name, value);
  }

  /** Deletes some runs that ended before the time; returns how many. */
  public int prune(Instant endedBefore) {
    buffer.tellSoFar(draft);
    return RunPruner.some(on, endedBefore);
  }

  /** Deletes some events before the time about a name that no run has; returns how many. */
  public int pruneEvents(String name, Instant before) {
    buffer.tellSoFar(draft);
    return RunPruner.someEvents(on, name, before);
  }
}
