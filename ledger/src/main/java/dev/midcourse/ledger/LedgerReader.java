package dev.midcourse.ledger;

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
import dev.midcourse.ledger.chat.ChatReader;
import dev.midcourse.ledger.loop.LoopReader;
import dev.midcourse.ledger.schedule.ScheduleReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The queries of the ledger. */
public interface LedgerReader {
  Optional<Run> run(RunId id);

  /** Runs whose id begins with the prefix, of those that are visible; newest first. */
  List<Run> runsStartingWith(String prefix, VisibleRuns visible, int limit);

  /** A page of runs, newest first; see {@link RunQuery}. */
  List<Run> runs(RunQuery query);

  /** The newest run whose session this is. */
  Optional<Run> newestOf(SessionId session);

  /** The queued and running runs whose session this is, oldest first. */
  List<Run> liveRunsOf(AgentName agent, SessionId session);

  /**
   * Whether another run with this session has an attempt that is not closed, also an ended run: a
   * process of it may be alive and use the session.
   */
  boolean isSessionHeldByOther(Run run, SessionId session);

  /** The runs in this folder and in one of these states, oldest first. */
  List<Run> runsIn(String dir, Set<RunState> states);

  /** Every run that is queued or running, oldest first. */
  List<Run> liveRuns();

  /** The number of runs in each state; states without a run are left out. */
  Map<RunState, Integer> countRuns();

  /** The number of runs of the same worker that are queued before this one. */
  int placeInQueue(Run run);

  Optional<Attempt> attempt(RunId run, int number);

  List<Attempt> attempts(RunId run);

  /** Attempts of this host that have no end yet, also those of ended runs. */
  List<Attempt> unclosedAttempts(HostName host);

  Optional<TurnRecord> turn(RunId run, int number);

  List<TurnRecord> turns(RunId run);

  Optional<Steer> steer(SteerId id);

  /** Steers whose id begins with the prefix, of the runs that are visible. */
  List<Steer> steersStartingWith(String prefix, VisibleRuns visible, int limit);

  /** All steers of a run in sequence. */
  List<Steer> steers(RunId run);

  /** The open steers of a run in sequence. */
  List<Steer> openSteers(RunId run);

  /** The open steers of a run with a greater sequence number. */
  List<Steer> openSteersAfter(RunId run, long seq);

  int countOpenSteers(RunId run);

  /** The number of open steers of all runs at each rung; rungs without a steer are left out. */
  Map<Rung, Integer> countOpenSteers();

  Optional<Ask> ask(RunId run, String id);

  List<Ask> asks(RunId run);

  /** The dispatch that this group has stored under the key. */
  Optional<DispatchKey> dispatchKey(GroupName group, IdempotencyKey key);

  /** A setting that the hub stores in the ledger, such as the last clock reading. */
  Optional<String> setting(String name);

  /** People, chats, conversations, their messages and the outbox. */
  ChatReader chats();

  /** Schedules, and what became of their due times. */
  ScheduleReader schedules();

  /** Autopilot loops. */
  LoopReader loops();
}
