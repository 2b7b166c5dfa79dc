package dev.midcourse.engine.schedule;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.ScheduleId;
import dev.midcourse.core.schedule.Schedule;
import dev.midcourse.core.schedule.ScheduleRun;
import dev.midcourse.core.schedule.ScheduleState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.ledger.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Adds, changes and cancels schedules, and carries out their due times while it is open. All state
 * is in the ledger; {@link #start} sets the timers from there.
 */
public final class ScheduleService {
  /** How many schedules may be active or paused; a limit against a program that adds for ever. */
  static final int MAX_SCHEDULES = 1_000;

  /** The same for the schedules that the agents of one worker have added. */
  static final int MAX_SCHEDULES_OF_AGENT = 20;

  private final ScheduleParts parts;
  private final ScheduleFiring firing;

  public ScheduleService(ScheduleParts parts) {
    this(parts, CheckRunner.TIMEOUT);
  }

  ScheduleService(ScheduleParts parts, Duration checkTimeout) {
    this.parts = parts;
    this.firing = new ScheduleFiring(parts, new CheckRunner(parts.environment(), checkTimeout));
  }

  /** Waits for the due times of all active schedules; those that have passed are carried out. */
  public void start() {
    List<Schedule> all = parts.ledger().read(reading -> reading.schedules().schedules(false));
    all.forEach(firing::arm);
  }

  /** Adds a schedule. Refuses one without a time that is to come. */
  public Schedule add(ScheduleOrder order, Author author, boolean byAgent) {
    Instant now = now();
    String name = order.name().orElseGet(() -> Schedule.nameOf(order.prompt()));
    Schedule added =
        parts
            .ledger()
            .write(tx -> {
              refuseTooMany(tx, order, author, byAgent);
              Schedule schedule =
                  new Schedule(
                      freshId(tx, name),
                      name,
                      order.target(),
                      order.prompt(),
                      order.timing(),
                      order.zone(),
                      order.missed(),
                      order.check(),
                      ScheduleState.PAUSED,
                      author,
                      now,
                      Optional.empty());
              Schedule active = activated(schedule, now);
              tx.schedules().put(active);
              return active;
            });
    firing.arm(added);
    return added;
  }

  private ScheduleId freshId(Transaction tx, String name) {
    while (true) {
      ScheduleId drawn = ScheduleId.of(parts.ids().run(name).value());
      if (tx.schedules().schedule(drawn).isEmpty()) {
        return drawn;
      }
    }
  }

  private static void refuseTooMany(
      Transaction tx, ScheduleOrder order, Author author, boolean byAgent) {
    List<Schedule> all = tx.schedules().schedules(false);
    long ofAgent =
        all.stream()
            .filter(it -> it.target().worker().equals(order.target().worker()))
            .filter(it -> it.createdBy().equals(author))
            .count();
    int limit = byAgent ? MAX_SCHEDULES_OF_AGENT : MAX_SCHEDULES;
    if (all.size() >= MAX_SCHEDULES || (byAgent && ofAgent >= limit)) {
      throw Problem.of(
              Code.LIMIT,
              "schedule",
              "at most " + limit,
              "there are " + limit + " schedules already: cancel one")
          .refused();
    }
  }

  private static Schedule activated(Schedule schedule, Instant now) {
    Optional<Instant> next = schedule.nextAfter(now);
    if (next.isEmpty()) {
      throw Problem.invalid("at", "a time that is to come", "the time of the schedule has passed")
          .refused();
    }
    return schedule.withNext(next);
  }

  /** Stops a schedule until it is resumed. */
  public Schedule pause(ScheduleId id) {
    return change(id, (schedule, _) -> schedule.without(ScheduleState.PAUSED));
  }

  /** Goes on with the first due time from now. Times during the pause were not missed. */
  public Schedule resume(ScheduleId id) {
    return change(
        id,
        (schedule, now) ->
            schedule.state() == ScheduleState.ACTIVE ? schedule : activated(schedule, now));
  }

  /** Ends a schedule. A run that it started goes on. */
  public Schedule cancel(ScheduleId id) {
    return change(id, (schedule, _) -> schedule.without(ScheduleState.ENDED));
  }

  /** Changes a schedule; the next time follows from the new timing and the time of now. */
  public Schedule update(ScheduleId id, ScheduleUpdate update) {
    return change(
        id,
        (schedule, now) -> {
          Schedule changed = update.applyTo(schedule);
          return schedule.state() == ScheduleState.ACTIVE ? activated(changed, now) : changed;
        });
  }

  private Schedule change(ScheduleId id, BiFunction<Schedule, Instant, Schedule> change) {
    Instant now = now();
    Schedule changed =
        parts
            .ledger()
            .write(tx -> {
              Schedule schedule = tx.schedules().schedule(id).orElseThrow(() -> notFound(id));
              if (schedule.state() == ScheduleState.ENDED) {
                throw ended(id);
              }
              Schedule after = change.apply(schedule, now);
              tx.schedules().put(after);
              return after;
            });
    firing.arm(changed);
    return changed;
  }

  /** Gives the prompt now, without the check; the next time stays as it is. */
  public ScheduleRun runNow(ScheduleId id) {
    Schedule schedule =
        parts
            .ledger()
            .read(reading -> reading.schedules().schedule(id))
            .orElseThrow(() -> notFound(id));
    if (schedule.state() == ScheduleState.ENDED) {
      throw ended(id);
    }
    Instant now = now();
    return firing
        .start(schedule, now, Optional.empty(), "by hand", tx -> tx.schedules().schedule(id))
        .orElseThrow(() -> notFound(id));
  }

  public static RefusedException notFound(ScheduleId id) {
    return Problem.of(
            Code.NOT_FOUND, "schedule_id", "an existing id", "schedule " + id + " not found")
        .refused();
  }

  private static RefusedException ended(ScheduleId id) {
    return Problem.of(
            Code.TOO_LATE,
            "schedule_id",
            "a schedule that goes on",
            "schedule " + id + " has ended")
        .refused();
  }

  private Instant now() {
    return parts.clock().instant();
  }
}
