package dev.midcourse.hub.schedule;

import dev.midcourse.core.FieldDoc;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.schedule.MissedTimePolicy;
import java.time.Duration;
import java.util.Optional;

/** The requests about schedules: the bodies and queries of HTTP, which MCP tools fill in too. */
public final class ScheduleRequests {
  private ScheduleRequests() {}

  public record ScheduleRequest(
      @FieldDoc("what the agent is to do at each due time") String prompt,
      @FieldDoc("5 fields, 6 with seconds in front, or @daily; or at, or every")
          Optional<String> cron,
      @FieldDoc("a single time: 2026-11-20 09:00, local to the zone, or with an offset")
          Optional<String> at,
      @FieldDoc("an interval from now on: 30m, 1h30m, 2d") Optional<Duration> every,
      @FieldDoc("an IANA time zone such as Europe/Berlin; default: that of the hub")
          Optional<String> zone,
      @FieldDoc("the worker; without it, any") Optional<WorkerName> worker,
      @FieldDoc("which agent; without it that of the worker") Optional<AgentName> agent,
      @FieldDoc("working directory, absolute; default: a new empty one for each run")
          Optional<String> dir,
      @FieldDoc(
              "a conversation, which the prompt enters like a message; without worker, agent, dir")
          Optional<String> conversation,
      @FieldDoc("a name in lists; default: the first line of the prompt") Optional<String> name,
      @FieldDoc("times missed while no hub ran; default: once") Optional<MissedTimePolicy> missed,
      @FieldDoc("absolute path of a program that decides whether the agent is woken")
          Optional<String> check) {}

  public record ScheduleChange(
      @FieldDoc("another prompt") Optional<String> prompt,
      @FieldDoc("another cron expression; or at, or every") Optional<String> cron,
      @FieldDoc("a single time instead") Optional<String> at,
      @FieldDoc("an interval from now on instead") Optional<Duration> every,
      @FieldDoc("another time zone") Optional<String> zone,
      @FieldDoc("another name") Optional<String> name,
      @FieldDoc("another policy for missed times") Optional<MissedTimePolicy> missed,
      @FieldDoc("another check; an empty text removes it") Optional<String> check) {}

  record ScheduleListing(
      @FieldDoc("with schedules that have ended; default: false") Optional<Boolean> all) {}
}
