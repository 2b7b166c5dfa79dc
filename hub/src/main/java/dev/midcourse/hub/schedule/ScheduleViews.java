package dev.midcourse.hub.schedule;

import dev.midcourse.core.chat.ConversationId;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.ScheduleId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.schedule.CheckCommand;
import dev.midcourse.core.schedule.MissedTimePolicy;
import dev.midcourse.core.schedule.Schedule;
import dev.midcourse.core.schedule.ScheduleRun;
import dev.midcourse.core.schedule.ScheduleState;
import dev.midcourse.core.schedule.ScheduleTarget;
import dev.midcourse.core.schedule.ScheduleTimes;
import dev.midcourse.core.schedule.Timing;
import dev.midcourse.core.steer.Author;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The results about schedules. */
public final class ScheduleViews {
  private static final int UPCOMING = 3;
  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("EEE uuuu-MM-dd HH:mm", Locale.ENGLISH);
  private static final DateTimeFormatter LOCAL_WITH_SECONDS =
      DateTimeFormatter.ofPattern("EEE uuuu-MM-dd HH:mm:ss", Locale.ENGLISH);

  private ScheduleViews() {}

  public record Schedules(List<ScheduleView> schedules) {}

  /** A schedule with what became of its newest due times, newest first. */
  public record ScheduleDetails(ScheduleView schedule, List<DueView> runs) {}

  /**
   * A schedule.
   *
   * @param timing the cron expression, {@code once} or {@code every 30m}
   * @param nextLocal the next time as clocks in the zone of the schedule show it
   * @param upcoming the next three of these
   * @param last what became of the newest due time
   */
  public record ScheduleView(
      ScheduleId scheduleId,
      String name,
      ScheduleState state,
      WorkerName worker,
      Optional<AgentName> agent,
      Optional<String> dir,
      Optional<ConversationId> conversation,
      String prompt,
      String timing,
      String zone,
      MissedTimePolicy missed,
      Optional<String> check,
      Author createdBy,
      Instant createdAt,
      Optional<Instant> nextAt,
      Optional<String> nextLocal,
      List<String> upcoming,
      Optional<DueView> last) {

    static ScheduleView of(Schedule schedule, Optional<ScheduleRun> last) {
      ScheduleTarget target = schedule.target();
      Optional<ScheduleTarget.OfWorker> plain =
          target instanceof ScheduleTarget.OfWorker it ? Optional.of(it) : Optional.empty();
      return new ScheduleView(
          schedule.id(),
          schedule.name(),
          schedule.state(),
          target.worker(),
          plain.flatMap(ScheduleTarget.OfWorker::agent),
          plain.flatMap(ScheduleTarget.OfWorker::dir),
          target instanceof ScheduleTarget.OfConversation it
              ? Optional.of(it.conversation())
              : Optional.empty(),
          schedule.prompt(),
          timing(schedule),
          schedule.zone().getId(),
          schedule.missed(),
          schedule.check().map(CheckCommand::path),
          schedule.createdBy(),
          schedule.createdAt(),
          schedule.nextAt(),
          schedule.nextAt().map(next -> local(next, schedule.zone())),
          upcoming(schedule),
          last.map(run -> DueView.of(run, schedule.zone())));
    }

    private static String timing(Schedule schedule) {
      return schedule.timing() instanceof Timing.Once(Instant at)
          ? "once, " + local(at, schedule.zone())
          : schedule.timing().description();
    }

    private static List<String> upcoming(Schedule schedule) {
      return schedule
          .nextAt()
          .map(next ->
              ScheduleTimes.next(schedule.timing(), schedule.zone(), next.minusNanos(1), UPCOMING)
                  .stream()
                  .map(time -> local(time, schedule.zone()))
                  .toList())
          .orElse(List.of());
    }
  }

  /**
   * What became of a due time.
   *
   * @param reason why no run was started, or a note
   */
  public record DueView(
      Instant due, String dueLocal, Instant firedAt, Optional<RunId> runId, String reason) {
    static DueView of(ScheduleRun run, ZoneId zone) {
      return new DueView(run.due(), local(run.due(), zone), run.firedAt(), run.run(), run.reason());
    }
  }

  private static String local(Instant time, ZoneId zone) {
    boolean wholeMinute = time.getEpochSecond() % 60 == 0;
    return (wholeMinute ? LOCAL : LOCAL_WITH_SECONDS).format(time.atZone(zone));
  }
}
