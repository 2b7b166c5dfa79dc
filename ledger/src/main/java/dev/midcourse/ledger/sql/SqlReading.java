package dev.midcourse.ledger.sql;

import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.Key;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.ledger.Reading;
import dev.midcourse.ledger.RunQuery;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Questions to the ledger, answered over one connection. */
class SqlReading implements Reading {
  private static final String KEEPSAKE = "SELECT value FROM keepsakes WHERE name = ?";

  final Statements on;

  SqlReading(Statements on) {
    this.on = on;
  }

  @Override
  public Optional<Run> run(RunId id) {
    return RunTable.byId(on, id);
  }

  @Override
  public Optional<Run> newestOf(SessionId session) {
    return RunTable.newestOf(on, session);
  }

  @Override
  public List<Run> runsStartingWith(String prefix, int most) {
    return RunTable.byPrefix(on, prefix, most);
  }

  @Override
  public List<Run> runs(RunQuery query) {
    return RunTable.page(on, query);
  }

  @Override
  public List<Run> liveRuns() {
    return RunTable.live(on);
  }

  @Override
  public Map<RunState, Integer> countRuns() {
    return RunTable.count(on);
  }

  @Override
  public int placeInQueue(Run run) {
    return RunTable.placeInQueue(on, run);
  }

  @Override
  public Optional<Attempt> attempt(RunId run, int number) {
    return AttemptTable.one(on, run, number);
  }

  @Override
  public List<Attempt> attempts(RunId run) {
    return AttemptTable.ofRun(on, run);
  }

  @Override
  public List<Attempt> unclosedAttempts(HostName host) {
    return AttemptTable.unclosed(on, host);
  }

  @Override
  public Optional<TurnRecord> turn(RunId run, int number) {
    return TurnTable.one(on, run, number);
  }

  @Override
  public List<TurnRecord> turns(RunId run) {
    return TurnTable.ofRun(on, run);
  }

  @Override
  public Optional<Steer> steer(SteerId id) {
    return SteerTable.byId(on, id);
  }

  @Override
  public List<Steer> steersStartingWith(String prefix, int most) {
    return SteerTable.byPrefix(on, prefix, most);
  }

  @Override
  public Optional<Steer> steerByKey(GroupName group, Key key) {
    return SteerTable.byKey(on, group, key);
  }

  @Override
  public List<Steer> steers(RunId run) {
    return SteerTable.ofRun(on, run);
  }

  @Override
  public List<Steer> openSteers(RunId run) {
    return openSteersAfter(run, 0);
  }

  @Override
  public List<Steer> openSteersAfter(RunId run, long seq) {
    return SteerTable.openOfRun(on, run, seq);
  }

  @Override
  public int countOpenSteers(RunId run) {
    return SteerTable.countOpen(on, run);
  }

  @Override
  public Optional<Ask> ask(RunId run, String id) {
    return AskTable.one(on, run, id);
  }

  @Override
  public List<Ask> asks(RunId run) {
    return AskTable.ofRun(on, run);
  }

  @Override
  public Optional<String> keepsake(String name) {
    return on.first(KEEPSAKE, Row::text, name);
  }
}
