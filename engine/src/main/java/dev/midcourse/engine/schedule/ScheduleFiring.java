package dev.midcourse.engine.schedule;

import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.ScheduleId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.schedule.CheckResult;
import dev.midcourse.core.schedule.DueDecision;
import dev.midcourse.core.schedule.MissedTimePolicy;
import dev.midcourse.core.schedule.Schedule;
import dev.midcourse.core.schedule.SchedulePrompt;
import dev.midcourse.core.schedule.ScheduleRun;
import dev.midcourse.core.schedule.ScheduleTarget;
import dev.midcourse.core.steer.Author;
import dev.midcourse.ledger.Transaction;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * Carries due times out. Each transaction decides again from the stored schedule, so a timer that
 * is called twice, late or after a change has no effect of its own. The next time never depends on
 * what became of this one.
 */
final class ScheduleFiring {
  private static final Logger LOG = System.getLogger(ScheduleFiring.class.getName());
  private static final Duration RETRY_DELAY = Duration.ofSeconds(10);
  private static final String ORIGIN = "schedule";

  private final ScheduleParts parts;
  private final CheckRunner checks;

  ScheduleFiring(ScheduleParts parts, CheckRunner checks) {
    this.parts = parts;
    this.checks = checks;
  }

  /** Sets the timer of the schedule as its stored state demands. */
  void arm(Schedule schedule) {
    ScheduleId id = schedule.id();
    schedule
        .nextAt()
        .ifPresentOrElse(
            next -> parts.timers().at(timer(id), next, () -> fire(id)),
            () -> parts.timers().cancel(timer(id)));
  }

  private static String timer(ScheduleId id) {
    return "schedule " + id;
  }

  /** Carries out the due time of the schedule, if there is one, and waits for the next. */
  void fire(ScheduleId id) {
    try {
      parts.ledger().read(reading -> reading.schedules().schedule(id)).ifPresent(this::fire);
      parts.ledger().read(reading -> reading.schedules().schedule(id)).ifPresent(this::arm);
    } catch (RuntimeException e) {
      LOG.log(
          Level.WARNING,
          "Carrying out the schedule " + id + " failed; retrying in 10 s. No due time is lost.",
          e);
      parts.timers().at(timer(id), parts.clock().instant().plus(RETRY_DELAY), () -> fire(id));
    }
  }

  private void fire(Schedule schedule) {
    Instant now = parts.clock().instant();
    switch (DueDecision.decide(schedule, now)) {
      case DueDecision.Wait _ -> {}
      case DueDecision.Skip skip ->
          recordNothing(schedule.id(), now, skip.due(), missedReason(skip));
      case DueDecision.Fire fire -> fire(schedule, fire, now);
    }
  }

  private static String missedReason(DueDecision.Skip skip) {
    return "missed while no hub ran" + others(skip.missed());
  }

  private static String others(int count) {
    return switch (count) {
      case 0 -> "";
      case DueDecision.MAX_MISSED -> ", and " + count + " or more later times";
      default -> ", and " + count + " later " + (count == 1 ? "time" : "times");
    };
  }

  private void fire(Schedule schedule, DueDecision.Fire fire, Instant now) {
    CheckResult check =
        schedule
            .check()
            .map(command -> checks.run(schedule, fire.due(), command.path()))
            .orElse(new CheckResult.Wake(Optional.empty()));
    switch (check) {
      case CheckResult.Quiet(String reason) ->
          recordNothing(schedule.id(), now, fire.due(), reason);
      case CheckResult.Wake(Optional<String> data) -> {
        String note = fire.missed() == 0 ? "" : "stands for this time" + others(fire.missed());
        try {
          start(
              schedule, fire.due(), data, note, tx -> stillDue(tx, schedule.id(), fire.due(), now));
        } catch (RefusedException refused) {
          if (refused.problem().code() == Code.UNAVAILABLE) {
            throw refused;
          }
          recordNothing(schedule.id(), now, fire.due(), refused.problem().message());
        }
      }
    }
  }

  /** Gives the schedule as it is after a due time; empty if the due time is not to be started. */
  @FunctionalInterface
  interface DueCheck {
    Optional<Schedule> after(Transaction tx);
  }

  /** The schedule after this due time, unless it was carried out or changed meanwhile. */
  private static Optional<Schedule> stillDue(
      Transaction tx, ScheduleId id, Instant due, Instant now) {
    Optional<Schedule> stored = tx.schedules().schedule(id);
    if (stored.isEmpty() || tx.schedules().run(id, due).isPresent()) {
      return Optional.empty();
    }
    return switch (DueDecision.decide(stored.get(), now)) {
      case DueDecision.Wait _ -> Optional.empty();
      case DueDecision.Skip it ->
          Optional.of(it.due()).filter(due::equals).map(_ -> stored.get().withNext(it.next()));
      case DueDecision.Fire it ->
          Optional.of(it.due()).filter(due::equals).map(_ -> stored.get().withNext(it.next()));
    };
  }

  /** Stores that a due time started nothing, and sets the next time. */
  private void recordNothing(ScheduleId id, Instant now, Instant due, String reason) {
    parts
        .ledger()
        .write(tx -> {
          Optional<Schedule> after = stillDue(tx, id, due, now);
          after.ifPresent(schedule -> {
            tx.schedules().put(new ScheduleRun(id, due, now, Optional.empty(), reason));
            tx.schedules().put(schedule);
          });
          return after;
        });
  }

  /** What the prompt of a due time led to: a run, or the reason why there is none. */
  private record Result(Optional<RunId> run, String reason) {}

  /**
   * Gives the prompt to the target in one transaction with the row of the due time and the schedule
   * after it.
   */
  Optional<ScheduleRun> start(
      Schedule schedule, Instant due, Optional<String> data, String note, DueCheck check) {
    String prompt = SchedulePrompt.text(schedule, due, data);
    Author author = new Author(schedule.createdBy().group(), ORIGIN);
    return switch (schedule.target()) {
      case ScheduleTarget.OfWorker target -> {
        RunId id = parts.runs().freshId(schedule.name());
        RunSpec spec = parts.starter().spec(id, target, prompt, author);
        Optional<ScheduleRun> started =
            parts
                .runs()
                .reserving(
                    spec.workspace(),
                    () -> carryOut(due, check, tx -> queue(tx, schedule, id, spec, note)));
        parts.runs().wake();
        yield started;
      }
      case ScheduleTarget.OfConversation target -> {
        ConversationEntry.PreparedEntry entry = parts.conversations().prepare(target);
        Optional<ScheduleRun> entered =
            carryOut(
                due,
                check,
                tx -> new Result(entry.enter(tx, prompt, author, parts.clock().instant()), note));
        entry.committed();
        yield entered;
      }
    };
  }

  private Optional<ScheduleRun> carryOut(
      Instant due, DueCheck check, Function<Transaction, Result> give) {
    return parts
        .ledger()
        .write(tx -> {
          Optional<Schedule> after = check.after(tx);
          if (after.isEmpty()) {
            return Optional.empty();
          }
          Result result = give.apply(tx);
          ScheduleRun stored =
              new ScheduleRun(
                  after.get().id(), due, parts.clock().instant(), result.run(), result.reason());
          tx.schedules().put(stored);
          tx.schedules().put(after.get());
          return Optional.of(stored);
        });
  }

  private Result queue(Transaction tx, Schedule schedule, RunId id, RunSpec spec, String note) {
    Optional<RunId> waiting = waitingRun(tx, schedule);
    if (waiting.isPresent()) {
      return new Result(
          Optional.empty(), "run " + waiting.get() + " of this schedule still waits in the queue");
    }
    parts.runs().queue(tx, id, spec, parts.clock().instant());
    return new Result(Optional.of(id), note);
  }

  /** The newest run of the schedule while it waits; a second one would only lengthen the queue. */
  private static Optional<RunId> waitingRun(Transaction tx, Schedule schedule) {
    if (schedule.missed() == MissedTimePolicy.ALL) {
      return Optional.empty();
    }
    return tx.schedules()
        .newestRun(schedule.id())
        .flatMap(tx::run)
        .filter(run -> run.state() == RunState.QUEUED)
        .map(Run::id);
  }
}
