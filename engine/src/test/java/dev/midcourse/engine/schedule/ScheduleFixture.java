package dev.midcourse.engine.schedule;

import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.Ids;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.ScheduleId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.schedule.CheckCommand;
import dev.midcourse.core.schedule.MissedTimePolicy;
import dev.midcourse.core.schedule.Schedule;
import dev.midcourse.core.schedule.ScheduleRun;
import dev.midcourse.core.schedule.ScheduleTarget;
import dev.midcourse.core.schedule.Timing;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.engine.EngineFixture;
import dev.midcourse.engine.ScriptedAgent;
import dev.midcourse.engine.timer.ManualTimers;
import dev.midcourse.ledger.Ledger;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** An engine with schedules, whose clock and timers a test moves. */
final class ScheduleFixture implements AutoCloseable {
  static final Author PERSON = EngineFixture.PERSON;
  static final WorkerName LANE = WorkerName.of("lane");
  static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  final ManualTimers timers = new ManualTimers(Instant.parse("2026-11-18T07:00:00Z"));
  final ScriptedAgent agent = new ScriptedAgent();
  final EngineFixture engine;
  private final Path folder;
  ScheduleService service;

  /** What the next starts of runs do before they name a specification. */
  Runnable beforeStart = () -> {};

  ScheduleFixture(Path folder) {
    this.folder = folder;
    this.engine = new EngineFixture(folder, agent, timers, StallPolicy.DEFAULT);
    this.service = service(engine.ledger, timers);
    service.start();
  }

  ScheduleService service(Ledger ledger, ManualTimers on) {
    return new ScheduleService(
        new ScheduleParts(
            ledger,
            engine.engine().runs(),
            on,
            on,
            new Ids(new SecureRandom()),
            this::spec,
            ConversationEntry.none(),
            HubEnvironment.ofThisProcess()),
        Duration.ofSeconds(20));
  }

  private RunSpec spec(RunId id, ScheduleTarget.OfWorker target, String prompt, Author author) {
    beforeStart.run();
    return new RunSpec(
        prompt,
        AgentName.of("puppet"),
        target.worker(),
        folder.toString(),
        author,
        PendingPolicy.ALL,
        1,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** As after a kill of the hub: the timers are gone, and another service starts at this time. */
  void restartAt(Instant time) {
    timers.close();
    timers.moveTo(time);
    service = service(engine.ledger, timers);
    service.start();
    timers.moveTo(time);
  }

  static ScheduleOrder order(Timing timing, MissedTimePolicy missed) {
    return new ScheduleOrder(
        Optional.empty(),
        new ScheduleTarget.OfWorker(LANE, Optional.empty(), Optional.empty()),
        "Summarise open issues",
        timing,
        BERLIN,
        missed,
        Optional.empty());
  }

  static ScheduleOrder checked(Path check) {
    ScheduleOrder order = order(Timing.Cron.of("0 9 * * *"), MissedTimePolicy.ONCE);
    return new ScheduleOrder(
        order.name(),
        order.target(),
        order.prompt(),
        order.timing(),
        order.zone(),
        order.missed(),
        Optional.of(new CheckCommand(check.toString())));
  }

  Schedule add(String cron, MissedTimePolicy missed) {
    return service.add(order(Timing.Cron.of(cron), missed), PERSON, false);
  }

  Schedule now(ScheduleId id) {
    return engine.ledger.read(reading -> reading.schedules().schedule(id)).orElseThrow();
  }

  /** Oldest first. */
  List<ScheduleRun> runs(ScheduleId id) {
    return engine.ledger.<List<ScheduleRun>>read(r -> r.schedules().runs(id, 1_000)).reversed();
  }

  List<RunId> started(ScheduleId id) {
    return runs(id).stream().flatMap(run -> run.run().stream()).toList();
  }

  @Override
  public void close() {
    engine.close();
  }
}
