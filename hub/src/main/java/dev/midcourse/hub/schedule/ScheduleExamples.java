package dev.midcourse.hub.schedule;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.ScheduleId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.schedule.CheckCommand;
import dev.midcourse.core.schedule.MissedTimePolicy;
import dev.midcourse.core.schedule.Schedule;
import dev.midcourse.core.schedule.ScheduleRun;
import dev.midcourse.core.schedule.ScheduleState;
import dev.midcourse.core.schedule.ScheduleTarget;
import dev.midcourse.core.schedule.Timing;
import dev.midcourse.core.steer.Author;
import dev.midcourse.hub.schedule.ScheduleRequests.ScheduleChange;
import dev.midcourse.hub.schedule.ScheduleRequests.ScheduleRequest;
import dev.midcourse.hub.schedule.ScheduleViews.DueView;
import dev.midcourse.hub.schedule.ScheduleViews.ScheduleDetails;
import dev.midcourse.hub.schedule.ScheduleViews.ScheduleView;
import dev.midcourse.hub.schedule.ScheduleViews.Schedules;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** Examples for the description of the API. */
final class ScheduleExamples {
  private static final Instant NEXT = Instant.parse("2026-03-02T08:00:00Z");
  private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");
  private static final ScheduleId ID = ScheduleId.of("summarise-open-issues-k7fp");

  private static final ScheduleRun LAST =
      new ScheduleRun(
          ID,
          NEXT.minusSeconds(259_200),
          NEXT.minusSeconds(259_199),
          Optional.of(RunId.of("summarise-open-issues-x2mq")),
          "");

  static final ScheduleRequest REQUEST =
      new ScheduleRequest(
          "Summarise open issues",
          Optional.of("0 9 * * 1-5"),
          Optional.empty(),
          Optional.empty(),
          Optional.of(ZONE.getId()),
          Optional.of(WorkerName.of("reporter")),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.of(MissedTimePolicy.ONCE),
          Optional.of("/home/ada/check-issues"));

  static final ScheduleChange CHANGE =
      new ScheduleChange(
          Optional.empty(),
          Optional.of("30 8 * * 1-5"),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  static final ScheduleView SCHEDULE =
      ScheduleView.of(
          new Schedule(
              ID,
              "Summarise open issues",
              new ScheduleTarget.OfWorker(
                  WorkerName.of("reporter"), Optional.empty(), Optional.empty()),
              "Summarise open issues",
              Timing.Cron.of("0 9 * * 1-5"),
              ZONE,
              MissedTimePolicy.ONCE,
              Optional.of(new CheckCommand("/home/ada/check-issues")),
              ScheduleState.ACTIVE,
              Author.person("cli"),
              NEXT.minusSeconds(604_800),
              Optional.of(NEXT)),
          Optional.of(LAST));

  static final Schedules SCHEDULES = new Schedules(List.of(SCHEDULE));

  static final ScheduleDetails DETAILS =
      new ScheduleDetails(SCHEDULE, List.of(DueView.of(LAST, ZONE)));

  private ScheduleExamples() {}
}
