package dev.midcourse.ledger.sql;

import dev.midcourse.core.event.Kind;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.Key;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.ledger.Tx;
import dev.midcourse.ledger.json.Json;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One piece of work in a transaction. What it changes is written down in its draft, and the store
 * is told before the work, or one after it, asks about the same.
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

  /** A group's key, as something to ask about. */
  private record KeyOf(GroupName group, Key key) {}

  private final Untold untold;
  private final Draft draft;
  private final Map<RunId, RunSpec> knownSpecs = new HashMap<>();

  SqlTx(Statements on, Untold untold, Draft draft) {
    super(on);
    this.untold = untold;
    this.draft = draft;
  }

  @Override
  Statements about(Object subject) {
    untold.asked(subject, draft);
    return on;
  }

  @Override
  Statements aboutAll() {
    untold.askedAboutAll(draft);
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
  public Optional<Addressed> addressed(RunId run, GroupName group, Optional<Key> key) {
    key.ifPresent(itsKey -> about(new KeyOf(group, itsKey)));
    Optional<Addressed> addressed = Addressing.of(about(run), run, group, key);
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
    String body = Texts.storable(Json.write(event));
    draft.append(at, run, KINDS.get(event.getClass()), body);
  }

  @Override
  public void keep(String name, String value) {
    draft.about(name).change(KEEP, name, value);
  }

  /** Deletes some runs that ended before the time; returns how many. */
  int prune(Instant endedBefore) {
    untold.tellSoFar(draft);
    return Prune.some(on, endedBefore);
  }

  /** Deletes some events before the time about a name that no run has; returns how many. */
  int pruneEvents(String name, Instant before) {
    untold.tellSoFar(draft);
    return Prune.someEvents(on, name, before);
  }
}
