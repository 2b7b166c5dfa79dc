package dev.midcourse.ledger;

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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What can be asked of the ledger. */
public interface LedgerReader {
  Optional<Run> run(RunId id);

  /** Runs whose id begins with this, at most {@code most}, newest first. */
  List<Run> runsStartingWith(String prefix, int most);

  /** A page of runs, newest first; see {@link RunQuery}. */
  List<Run> runs(RunQuery query);

  /** The newest run that has, or was asked to go on with, this conversation. */
  Optional<Run> newestOf(SessionId session);

  /** The runs whose folder is this one and whose state is one of these, oldest first. */
  List<Run> runsIn(String dir, Set<RunState> states);

  /** Every run that is queued or running, oldest first. */
  List<Run> liveRuns();

  /** How many runs are in each state; states without a run are left out. */
  Map<RunState, Integer> countRuns();

  /** How many runs of the same worker are queued before this one. */
  int placeInQueue(Run run);

  Optional<Attempt> attempt(RunId run, int number);

  List<Attempt> attempts(RunId run);

  /** Attempts of this host whose end has not been seen, whatever became of their runs. */
  List<Attempt> unclosedAttempts(HostName host);

  Optional<TurnRecord> turn(RunId run, int number);

  List<TurnRecord> turns(RunId run);

  Optional<Steer> steer(SteerId id);

  /** Steers whose id begins with this, at most {@code most}. */
  List<Steer> steersStartingWith(String prefix, int most);

  /** All steers of a run in sequence. */
  List<Steer> steers(RunId run);

  /** The open steers of a run in sequence. */
  List<Steer> openSteers(RunId run);

  /** Of these, the ones after a place in the sequence. */
  List<Steer> openSteersAfter(RunId run, long seq);

  int countOpenSteers(RunId run);

  /** How many steers of all runs are open at each rung; rungs without one are left out. */
  Map<Rung, Integer> countOpenSteers();

  Optional<Ask> ask(RunId run, String id);

  List<Ask> asks(RunId run);

  /** The dispatch that this group has stored under the key. */
  Optional<DispatchKey> dispatchKey(GroupName group, IdempotencyKey key);

  /** A setting the ledger keeps for the hub, such as the last clock reading. */
  Optional<String> setting(String name);
}
