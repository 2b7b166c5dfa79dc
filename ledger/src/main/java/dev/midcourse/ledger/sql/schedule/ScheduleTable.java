package dev.midcourse.ledger.sql.schedule;

import dev.midcourse.core.chat.ConversationId;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.ScheduleId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.schedule.CheckCommand;
import dev.midcourse.core.schedule.MissedTimePolicy;
import dev.midcourse.core.schedule.Schedule;
import dev.midcourse.core.schedule.ScheduleState;
import dev.midcourse.core.schedule.ScheduleTarget;
import dev.midcourse.core.schedule.Timing;
import dev.midcourse.core.steer.Author;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.jdbc.SqlTimes;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** The table schedules. */
final class ScheduleTable {
  private static final String COLUMNS =
      """
      SELECT schedule_id, name, conversation_id, worker, agent, dir, prompt, timing, cron, once_at,
        every_nanos, anchor, zone, missed, check_command, state, author_group, author_origin,
        created_at, next_at
      FROM schedules
      """;

  private static final String BY_ID = COLUMNS + "WHERE schedule_id = ?";

  private static final String CURRENT =
      COLUMNS + "WHERE state <> 'ended' ORDER BY state, next_at, schedule_id";

  private static final String ALL =
      COLUMNS + "ORDER BY state, next_at, created_at DESC, schedule_id";

  private static final String ACTIVE = "SELECT count(*) FROM schedules WHERE state = 'active'";

  private static final String PUT =
      """
      INSERT INTO schedules (
        schedule_id, name, conversation_id, worker, agent, dir, prompt, timing, cron, once_at,
        every_nanos, anchor, zone, missed, check_command, state, author_group, author_origin,
        created_at, next_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (schedule_id) DO UPDATE SET
        name = excluded.name, conversation_id = excluded.conversation_id,
        worker = excluded.worker, agent = excluded.agent, dir = excluded.dir,
        prompt = excluded.prompt, timing = excluded.timing, cron = excluded.cron,
        once_at = excluded.once_at, every_nanos = excluded.every_nanos, anchor = excluded.anchor,
        zone = excluded.zone, missed = excluded.missed, check_command = excluded.check_command,
        state = excluded.state, next_at = excluded.next_at
      """;

  private static final String PRUNE =
      """
      DELETE FROM schedules WHERE state = 'ended' AND created_at < ?
        AND NOT EXISTS (
          SELECT 1 FROM schedule_runs r WHERE r.schedule_id = schedules.schedule_id)
      """;

  private ScheduleTable() {}

  static Optional<Schedule> byId(SqlSession on, ScheduleId id) {
    return on.first(BY_ID, ScheduleTable::map, id);
  }

  static List<Schedule> all(SqlSession on, boolean withEnded) {
    return on.all(withEnded ? ALL : CURRENT, ScheduleTable::map);
  }

  static boolean hasActive(SqlSession on) {
    return on.number(ACTIVE) > 0;
  }

  static void prune(ChangeRecorder changes, Instant before) {
    changes.add(PRUNE, before);
  }

  static void put(ChangeRecorder changes, Schedule schedule) {
    Target target = Target.of(schedule.target());
    TimingColumns timing = TimingColumns.of(schedule.timing());
    changes.add(
        PUT,
        schedule.id(),
        schedule.name(),
        target.conversation,
        schedule.target().worker(),
        target.agent,
        target.dir,
        schedule.prompt(),
        timing.kind,
        timing.cron,
        timing.onceAt,
        timing.everyNanos,
        timing.anchor,
        schedule.zone(),
        schedule.missed(),
        schedule.check().map(CheckCommand::path),
        schedule.state(),
        schedule.createdBy().group(),
        schedule.createdBy().origin(),
        schedule.createdAt(),
        schedule.nextAt());
  }

  private record Target(
      Optional<ConversationId> conversation, Optional<AgentName> agent, Optional<String> dir) {
    static Target of(ScheduleTarget target) {
      return switch (target) {
        case ScheduleTarget.OfWorker it -> new Target(Optional.empty(), it.agent(), it.dir());
        case ScheduleTarget.OfConversation it ->
            new Target(Optional.of(it.conversation()), Optional.empty(), Optional.empty());
      };
    }
  }

  private record TimingColumns(
      String kind,
      Optional<String> cron,
      Optional<Instant> onceAt,
      Optional<Long> everyNanos,
      Optional<Instant> anchor) {
    static TimingColumns of(Timing timing) {
      return switch (timing) {
        case Timing.Cron it ->
            new TimingColumns(
                "cron",
                Optional.of(it.expression().text()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        case Timing.Once it ->
            new TimingColumns(
                "once", Optional.empty(), Optional.of(it.at()), Optional.empty(), Optional.empty());
        case Timing.Every it ->
            new TimingColumns(
                "every",
                Optional.empty(),
                Optional.empty(),
                Optional.of(SqlTimes.nanos(it.interval())),
                Optional.of(it.anchor()));
      };
    }
  }

  private static Schedule map(Row row) throws SQLException {
    return new Schedule(
        row.parsed("schedule_id", ScheduleId::of),
        row.text("name"),
        target(row),
        row.text("prompt"),
        timing(row),
        row.parsed("zone", ZoneId::of),
        row.parsed("missed", text -> MissedTimePolicy.parse("missed", text)),
        row.optionalParsed("check_command", CheckCommand::new),
        row.parsed("state", text -> ScheduleState.parse("state", text)),
        new Author(row.parsed("author_group", GroupName::of), row.text("author_origin")),
        row.instant("created_at"),
        row.optionalInstant("next_at"));
  }

  private static ScheduleTarget target(Row row) throws SQLException {
    WorkerName worker = row.parsed("worker", WorkerName::of);
    Optional<ConversationId> conversation =
        row.optionalParsed("conversation_id", ConversationId::of);
    return conversation.isPresent()
        ? new ScheduleTarget.OfConversation(conversation.get(), worker)
        : new ScheduleTarget.OfWorker(
            worker, row.optionalParsed("agent", AgentName::of), row.optionalText("dir"));
  }

  private static Timing timing(Row row) throws SQLException {
    String kind = row.text("timing");
    return switch (kind) {
      case "cron" -> row.parsed("cron", Timing.Cron::of);
      case "once" -> new Timing.Once(row.instant("once_at"));
      case "every" ->
          new Timing.Every(Duration.ofNanos(row.number("every_nanos")), row.instant("anchor"));
      default -> throw new IllegalStateException("unknown timing " + kind);
    };
  }
}
