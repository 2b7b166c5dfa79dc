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
import dev.midcourse.ledger.DispatchKey;
import dev.midcourse.ledger.Transaction;
import dev.midcourse.ledger.chat.ChatWriter;
import dev.midcourse.ledger.json.EventCodec;
import dev.midcourse.ledger.loop.LoopWriter;
import dev.midcourse.ledger.schedule.ScheduleWriter;
import dev.midcourse.ledger.sql.chat.SqlChatWriter;
import dev.midcourse.ledger.sql.chat.SqlChatWriter.ChatChanges;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.jdbc.SqlTexts;
import dev.midcourse.ledger.sql.loop.SqlLoopWriter;
import dev.midcourse.ledger.sql.schedule.SqlScheduleWriter;
import dev.midcourse.ledger.sql.table.AskTable;
import dev.midcourse.ledger.sql.table.AttemptTable;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import dev.midcourse.ledger.sql.table.DispatchKeyTable;
import dev.midcourse.ledger.sql.table.RunPruner;
import dev.midcourse.ledger.sql.table.RunTable;
import dev.midcourse.ledger.sql.table.SqlLedgerReader;
import dev.midcourse.ledger.sql.table.SteerTable;
import dev.midcourse.ledger.sql.table.SteerTargetQuery;
import dev.midcourse.ledger.sql.table.Subject;
import dev.midcourse.ledger.sql.table.TurnTable;
import dev.midcourse.ledger.sql.write.WriteBehindBuffer.TaskChanges;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The transaction as one task sees it. Changes are recorded in the write-behind buffer and sent to
 * the store before this task, or a later one, reads the same subject.
 */
public final class SqlTransaction extends SqlLedgerReader implements Transaction {
  private static final String KEEP =
      """
      INSERT INTO keepsakes (name, value) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
      """;

  private final TaskChanges changes;
  private final Map<RunId, RunSpec> knownSpecs = new HashMap<>();
  private final ChatWriter chats = new SqlChatWriter(new Changes());
  private final ScheduleWriter schedules =
      new SqlScheduleWriter(this::about, subject -> recorder(subject));
  private final LoopWriter loops = new SqlLoopWriter(this::about, subject -> recorder(subject));

  SqlTransaction(SqlSession on, TaskChanges changes) {
    super(on);
    this.changes = changes;
  }

  @Override
  public SqlSession about(Subject subject) {
    changes.beforeRead(subject);
    return on;
  }

  @Override
  public SqlSession aboutAll() {
    changes.beforeReadOfAll();
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
    return RunTable.byId(about(new Subject.OfRun(id)), id, spec);
  }

  @Override
  public Optional<Addressed> addressed(RunId run, GroupName group, Optional<IdempotencyKey> key) {
    key.ifPresent(itsKey -> about(new Subject.OfKey(group, itsKey)));
    Optional<Addressed> addressed =
        SteerTargetQuery.of(about(new Subject.OfRun(run)), run, group, key);
    addressed.ifPresent(found -> knownSpecs.put(run, found.run().spec()));
    return addressed;
  }

  @Override
  public void put(Run run) {
    RunTable.put(changes.about(new Subject.OfRun(run.id())), run);
    if (!run.spec().equals(knownSpecs.put(run.id(), run.spec()))) {
      RunTable.putBrief(changes, run);
    }
  }

  @Override
  public void put(Steer steer) {
    changes.about(new Subject.OfSteer(steer.id())).about(new Subject.OfRun(steer.run()));
    steer.key().ifPresent(key -> changes.about(new Subject.OfKey(steer.author().group(), key)));
    SteerTable.put(changes, steer);
  }

  @Override
  public void put(Attempt attempt) {
    AttemptTable.put(changes.about(new Subject.OfRun(attempt.run())), attempt);
  }

  @Override
  public void storeOutput(Attempt attempt) {
    AttemptTable.storeOutput(changes.about(new Subject.OfRun(attempt.run())), attempt);
  }

  @Override
  public void put(TurnRecord turn) {
    TurnTable.put(changes.about(new Subject.OfRun(turn.run())), turn);
  }

  @Override
  public void put(Ask ask) {
    AskTable.put(changes.about(new Subject.OfRun(ask.run())), ask);
  }

  @Override
  public void put(DispatchKey key) {
    changes
        .about(new Subject.OfDispatchKey(key.group(), key.key()))
        .about(new Subject.OfRun(key.run()));
    DispatchKeyTable.put(changes, key);
  }

  @Override
  public void append(RunId run, Instant at, RunEvent event) {
    String body = SqlTexts.storable(EventCodec.encode(event));
    changes.append(at, run, EventKind.of(event), body);
  }

  @Override
  public void putSetting(String name, String value) {
    changes.about(new Subject.OfSetting(name)).add(KEEP, name, value);
  }

  @Override
  public ChatWriter chats() {
    return chats;
  }

  @Override
  public ScheduleWriter schedules() {
    return schedules;
  }

  @Override
  public LoopWriter loops() {
    return loops;
  }

  private ChangeRecorder recorder(Subject... subjects) {
    for (Subject subject : subjects) {
      changes.about(subject);
    }
    return changes;
  }

  /** Deletes some runs that ended before the time; returns how many. */
  public int prune(Instant endedBefore) {
    changes.send();
    return RunPruner.some(on, endedBefore);
  }

  /** Deletes some events of a missing run before the time; returns how many. */
  public int pruneEvents(String name, Instant before) {
    changes.send();
    return RunPruner.someEvents(on, name, before);
  }

  /** Connects the writer of chats with this transaction. */
  private final class Changes implements ChatChanges {
    @Override
    public SqlSession session(Subject subject) {
      return about(subject);
    }

    @Override
    public ChangeRecorder recorder(Subject... subjects) {
      return SqlTransaction.this.recorder(subjects);
    }

    @Override
    public SqlSession direct() {
      changes.send();
      return on;
    }
  }
}
