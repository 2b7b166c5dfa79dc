package dev.midcourse.ledger.sql.table;

import dev.midcourse.core.authority.VisibleRuns;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.ledger.DispatchKey;
import dev.midcourse.ledger.LedgerReader;
import dev.midcourse.ledger.RunQuery;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Runs the queries of the ledger on one connection. */
public abstract class SqlLedgerReader implements LedgerReader {
  private static final String SETTING = "SELECT value FROM keepsakes WHERE name = ?";

  public final SqlSession on;

  protected SqlLedgerReader(SqlSession on) {
    this.on = on;
  }

  /** The connection for a query about the subject; it shows all earlier changes of it. */
  public SqlSession about(Subject subject) {
    return on;
  }

  /** The connection for a query about any subjects; it shows all earlier changes. */
  public SqlSession aboutAll() {
    return on;
  }

  @Override
  public Optional<Run> run(RunId id) {
    return RunTable.byId(about(new Subject.OfRun(id)), id);
  }

  @Override
  public Optional<Run> newestOf(SessionId session) {
    return RunTable.newestOf(aboutAll(), session);
  }

  @Override
  public List<Run> liveRunsOf(AgentName agent, SessionId session) {
    return RunTable.liveOf(aboutAll(), agent, session);
  }

  @Override
  public boolean isSessionHeldByOther(Run run, SessionId session) {
    return AttemptTable.countUnclosedOfOthers(aboutAll(), run, session) > 0;
  }

  @Override
  public List<Run> runsStartingWith(String prefix, VisibleRuns visible, int limit) {
    return RunTable.byPrefix(aboutAll(), prefix, visible, limit);
  }

  @Override
  public List<Run> runs(RunQuery query) {
    return RunTable.page(aboutAll(), query);
  }

  @Override
  public List<Run> runsIn(String dir, Set<RunState> states) {
    return RunTable.in(aboutAll(), dir, states);
  }

  @Override
  public List<Run> liveRuns() {
    return RunTable.live(aboutAll());
  }

  @Override
  public Map<RunState, Integer> countRuns() {
    return RunTable.count(aboutAll());
  }

  @Override
  public int placeInQueue(Run run) {
    return RunTable.placeInQueue(aboutAll(), run);
  }

  @Override
  public Optional<Attempt> attempt(RunId run, int number) {
    return AttemptTable.one(about(new Subject.OfRun(run)), run, number);
  }

  @Override
  public List<Attempt> attempts(RunId run) {
    return AttemptTable.ofRun(about(new Subject.OfRun(run)), run);
  }

  @Override
  public List<Attempt> unclosedAttempts(HostName host) {
    return AttemptTable.unclosed(aboutAll(), host);
  }

  @Override
  public Optional<TurnRecord> turn(RunId run, int number) {
    return TurnTable.one(about(new Subject.OfRun(run)), run, number);
  }

  @Override
  public List<TurnRecord> turns(RunId run) {
    return TurnTable.ofRun(about(new Subject.OfRun(run)), run);
  }

  @Override
  public Optional<Steer> steer(SteerId id) {
    return SteerTable.byId(about(new Subject.OfSteer(id)), id);
  }

  @Override
  public List<Steer> steersStartingWith(String prefix, VisibleRuns visible, int limit) {
    return SteerTable.byPrefix(aboutAll(), prefix, visible, limit);
  }

  @Override
  public List<Steer> steers(RunId run) {
    return SteerTable.ofRun(about(new Subject.OfRun(run)), run);
  }

  @Override
  public List<Steer> openSteers(RunId run) {
    return openSteersAfter(run, 0);
  }

  @Override
  public List<Steer> openSteersAfter(RunId run, long seq) {
    return SteerTable.openOfRun(about(new Subject.OfRun(run)), run, seq);
  }

  @Override
  public Map<Rung, Integer> countOpenSteers() {
    return SteerTable.countOpen(aboutAll());
  }

  @Override
  public int countOpenSteers(RunId run) {
    return SteerTable.countOpen(about(new Subject.OfRun(run)), run);
  }

  @Override
  public Optional<Ask> ask(RunId run, String id) {
    return AskTable.one(about(new Subject.OfRun(run)), run, id);
  }

  @Override
  public List<Ask> asks(RunId run) {
    return AskTable.ofRun(about(new Subject.OfRun(run)), run);
  }

  @Override
  public Optional<DispatchKey> dispatchKey(GroupName group, IdempotencyKey key) {
    return DispatchKeyTable.one(about(new Subject.OfDispatchKey(group, key)), group, key);
  }

  @Override
  public Optional<String> setting(String name) {
    return about(new Subject.OfSetting(name)).first(SETTING, row -> row.text("value"), name);
  }
}
