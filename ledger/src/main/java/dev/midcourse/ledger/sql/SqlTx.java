package dev.midcourse.ledger.sql;

import dev.midcourse.core.event.Kind;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.ledger.Log.Logged;
import dev.midcourse.ledger.Tx;
import dev.midcourse.ledger.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One piece of work in a transaction. Its entries get their cursors at once and their rows with
 * those of its neighbours: nothing reads the log inside a transaction.
 */
final class SqlTx extends SqlReading implements Tx {
  private static final String KEEP =
      """
      INSERT INTO keepsakes (name, value) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
      """;

  private static final ClassValue<String> KINDS =
      new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> type) {
          return Kind.of(type);
        }
      };

  private final List<Logged> entries = new ArrayList<>();
  private final Map<RunId, RunSpec> knownSpecs = new HashMap<>();
  private long cursor;

  SqlTx(Statements on, long cursor) {
    super(on);
    this.cursor = cursor;
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
    return RunTable.byId(on, id, spec);
  }

  @Override
  public void put(Run run) {
    RunTable.put(on, run);
    if (!run.spec().equals(knownSpecs.put(run.id(), run.spec()))) {
      RunTable.putBrief(on, run);
    }
  }

  @Override
  public void put(Steer steer) {
    SteerTable.put(on, steer);
  }

  @Override
  public void put(Attempt attempt) {
    AttemptTable.put(on, attempt);
  }

  @Override
  public void heard(Attempt attempt) {
    AttemptTable.heard(on, attempt);
  }

  @Override
  public void put(TurnRecord turn) {
    TurnTable.put(on, turn);
  }

  @Override
  public void put(Ask ask) {
    AskTable.put(on, ask);
  }

  @Override
  public void append(RunId run, Instant at, RunEvent event) {
    String body = Texts.storable(Json.write(event));
    entries.add(new Logged(++cursor, at, run, KINDS.get(event.getClass()), body));
  }

  @Override
  public void keep(String name, String value) {
    on.update(KEEP, name, value);
  }

  /** What this work appended, in order. */
  List<Logged> entries() {
    return entries;
  }
}
