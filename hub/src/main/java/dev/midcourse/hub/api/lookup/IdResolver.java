package dev.midcourse.hub.api.lookup;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.authority.Action;
import dev.midcourse.core.authority.Authority;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerReference;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.LedgerReader;
import java.util.List;
import java.util.Optional;

/**
 * Resolves the name of a run or steer in a request: a whole id, an unambiguous beginning of one, or
 * {@code -} for the only live run. Only what the caller may see counts: the rest is not found, does
 * not make a beginning ambiguous, and is named in no error.
 */
public record IdResolver(Ledger ledger) {
  private static final String ONLY_LIVE_RUN = "-";

  /** Returns the run; empty if the caller sees no run of this name. */
  public Optional<Run> run(Caller caller, String text) {
    return text.equals(ONLY_LIVE_RUN)
        ? Optional.of(singleLiveRun(caller))
        : runBeginningWith(caller, text);
  }

  private Optional<Run> runBeginningWith(Caller caller, String text) {
    RunId id = RunId.of(text);
    return ledger.read(reading ->
        reading
            .run(id)
            .filter(run -> sees(caller, run))
            .or(() ->
                IdPrefix.single(
                    reading.runsStartingWith(text, Authority.sight(caller), IdPrefix.MAX_NAMED + 1),
                    "run_id",
                    "several runs start with " + text,
                    run -> run.id().value())));
  }

  private Run singleLiveRun(Caller caller) {
    List<Run> live =
        ledger.read(LedgerReader::liveRuns).stream().filter(run -> sees(caller, run)).toList();
    return IdPrefix.single(live, "run_id", "several runs are live", run -> run.id().value())
        .orElseThrow(() ->
            Problem.of(Code.NOT_FOUND, "run_id", "an existing id", "there is no live run")
                .refused());
  }

  /** Returns the steer; empty if the caller sees no steer of this name. */
  public Optional<Steer> steer(Caller caller, SteerReference reference) {
    return reference
        .whole()
        .flatMap(id -> ledger.read(reading -> reading.steer(id)))
        .filter(steer -> runOf(steer).filter(run -> sees(caller, run)).isPresent())
        .or(() -> steerBeginningWith(caller, reference.value()));
  }

  private Optional<Steer> steerBeginningWith(Caller caller, String text) {
    return IdPrefix.single(
        ledger.read(reading ->
            reading.steersStartingWith(text, Authority.sight(caller), IdPrefix.MAX_NAMED + 1)),
        "steer_id",
        "several steers start with " + text,
        steer -> steer.id().value());
  }

  /** Returns the run of a steer; empty if both are deleted by now. */
  public Optional<Run> runOf(Steer steer) {
    return ledger.read(reading -> reading.run(steer.run()));
  }

  public static boolean sees(Caller caller, Run run) {
    return Authority.objection(caller, Action.See.of(run)).isEmpty();
  }
}
