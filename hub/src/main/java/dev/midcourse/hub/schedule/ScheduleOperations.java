package dev.midcourse.hub.schedule;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.authority.Action;
import dev.midcourse.core.authority.Authority;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.chat.Conversation;
import dev.midcourse.core.chat.ConversationId;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.ScheduleId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.schedule.CheckCommand;
import dev.midcourse.core.schedule.MissedTimePolicy;
import dev.midcourse.core.schedule.Schedule;
import dev.midcourse.core.schedule.ScheduleRun;
import dev.midcourse.core.schedule.ScheduleTarget;
import dev.midcourse.core.schedule.Timing;
import dev.midcourse.core.time.TimeZones;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.engine.schedule.ScheduleOrder;
import dev.midcourse.engine.schedule.ScheduleService;
import dev.midcourse.engine.schedule.ScheduleUpdate;
import dev.midcourse.hub.api.lookup.IdPrefix;
import dev.midcourse.hub.api.operation.HubContext;
import dev.midcourse.hub.api.operation.HubOperations;
import dev.midcourse.hub.schedule.ScheduleRequests.ScheduleChange;
import dev.midcourse.hub.schedule.ScheduleRequests.ScheduleRequest;
import dev.midcourse.hub.schedule.ScheduleViews.ScheduleDetails;
import dev.midcourse.hub.schedule.ScheduleViews.ScheduleView;
import dev.midcourse.ledger.Ledger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The use cases of schedules for all interfaces: each asks {@link Authority}, logs a refusal and
 * does the work. A schedule may be named by its whole id or by an unambiguous beginning of it.
 */
public final class ScheduleOperations {
  private static final int MAX_SHOWN_RUNS = 20;
  private static final RunId ANY_RUN = RunId.of("schedule");

  private final HubContext context;
  private final HubOperations operations;
  private final ScheduleService service;

  public ScheduleOperations(HubContext context, HubOperations operations, ScheduleService service) {
    this.context = context;
    this.operations = operations;
    this.service = service;
  }

  /** Begins to wait for due times. */
  public void start() {
    service.start();
  }

  /** Adds a schedule, for the worker or conversation of the caller itself if it names none. */
  public ScheduleView add(Caller caller, ScheduleRequest request) {
    Optional<WorkerName> own = ownWorker(caller);
    ScheduleTarget target = target(caller, request, own);
    context
        .permits()
        .require(
            caller,
            new Action.AddSchedule(
                target.worker(), isDeclared(target.worker()), request.check().isPresent(), own));
    ZoneId zone = request.zone().map(name -> TimeZones.parse("zone", name)).orElseGet(this::zone);
    Timing timing =
        timing(request.cron(), request.at(), request.every())
            .orElseThrow(() ->
                Problem.invalid("cron", "one of cron, at, every", "name cron, at or every")
                    .refused())
            .in(zone);
    if (target instanceof ScheduleTarget.OfWorker plain) {
      new WorkerRunStarter(operations.runs())
          .spec(ANY_RUN, plain, request.prompt(), caller.author());
    }
    ScheduleOrder order =
        new ScheduleOrder(
            request.name(),
            target,
            request.prompt(),
            timing,
            zone,
            request.missed().orElse(MissedTimePolicy.ONCE),
            request.check().map(ScheduleOperations::check));
    return view(service.add(order, caller.author(), own.isPresent()));
  }

  private boolean isDeclared(WorkerName worker) {
    return context.workers().plan(worker).isPresent();
  }

  private ZoneId zone() {
    return TimeZones.parseOrUtc(ZoneId.systemDefault().getId());
  }

  private ScheduleTarget target(Caller caller, ScheduleRequest request, Optional<WorkerName> own) {
    Optional<Conversation> conversation =
        request
            .conversation()
            .map(id ->
                this.<Optional<Conversation>>read(
                        r -> r.chats().conversation(ConversationId.of(id)))
                    .orElseThrow(() ->
                        Problem.of(
                                Code.NOT_FOUND,
                                "conversation",
                                "an existing id",
                                "conversation " + id + " not found")
                            .refused()))
            .or(() -> request.worker().isPresent() ? Optional.empty() : ownConversation(caller));
    if (conversation.isPresent()) {
      return new ScheduleTarget.OfConversation(
          conversation.get().id(), conversation.get().key().worker());
    }
    WorkerName worker = request.worker().or(() -> own).orElse(EngineSettings.ANY_WORKER);
    return new ScheduleTarget.OfWorker(worker, request.agent(), request.dir());
  }

  /** The run whose agent asks. */
  private static Optional<RunId> ownRun(Caller caller) {
    return switch (caller) {
      case Caller.Worker worker -> Optional.of(worker.run());
      case Caller.Member member -> member.own();
      case Caller.Main _, Caller.Person _, Caller.Unauthenticated _ -> Optional.empty();
    };
  }

  private Optional<WorkerName> ownWorker(Caller caller) {
    return ownRun(caller)
        .flatMap(run -> read(reading -> reading.run(run)))
        .map(run -> run.spec().worker());
  }

  private Optional<Conversation> ownConversation(Caller caller) {
    return ownRun(caller).flatMap(run -> read(reading -> reading.chats().conversationOf(run)));
  }

  private static CheckCommand check(String path) {
    CheckCommand check = new CheckCommand(path);
    if (!Files.isExecutable(Path.of(path)) || !Files.isRegularFile(Path.of(path))) {
      throw Problem.invalid(
              "check", "a program that can be started", path + " is not an executable file")
          .refused();
    }
    return check;
  }

  private Optional<ScheduleUpdate.TimingFactory> timing(
      Optional<String> cron, Optional<String> at, Optional<Duration> every) {
    if (Stream.of(cron, at, every).filter(Optional::isPresent).count() > 1) {
      throw Problem.invalid("cron", "one of cron, at, every", "name only one of cron, at, every")
          .refused();
    }
    return cron.<ScheduleUpdate.TimingFactory>map(
            text -> {
              Timing parsed = Timing.Cron.of(text);
              return _ -> parsed;
            })
        .or(() -> at.map(text -> zone -> Timing.Once.of(text, zone)))
        .or(() ->
            every.map(interval -> {
              Timing grid = new Timing.Every(interval, context.clock().instant());
              return _ -> grid;
            }));
  }

  /** The schedules that the caller may see: active ones by their next time first. */
  public List<ScheduleView> list(Caller caller, boolean withEnded) {
    List<Schedule> all = visible(caller, withEnded);
    if (all.isEmpty()) {
      WorkerName worker = ownWorker(caller).orElse(EngineSettings.ANY_WORKER);
      context.permits().require(caller, new Action.SeeSchedule(worker, ownWorker(caller)));
    }
    return all.stream().map(this::view).toList();
  }

  private List<Schedule> visible(Caller caller, boolean withEnded) {
    Optional<WorkerName> own = ownWorker(caller);
    return this.<List<Schedule>>read(reading -> reading.schedules().schedules(withEnded)).stream()
        .filter(it ->
            Authority.objection(caller, new Action.SeeSchedule(it.target().worker(), own))
                .isEmpty())
        .toList();
  }

  public ScheduleDetails show(Caller caller, String schedule) {
    Schedule found = found(caller, schedule);
    List<ScheduleRun> runs = read(r -> r.schedules().runs(found.id(), MAX_SHOWN_RUNS));
    return new ScheduleDetails(
        view(found),
        runs.stream().map(run -> ScheduleViews.DueView.of(run, found.zone())).toList());
  }

  public ScheduleView pause(Caller caller, String schedule) {
    return changed(caller, schedule, false, service::pause);
  }

  public ScheduleView resume(Caller caller, String schedule) {
    return changed(caller, schedule, false, service::resume);
  }

  public ScheduleView cancel(Caller caller, String schedule) {
    return changed(caller, schedule, false, service::cancel);
  }

  public ScheduleView update(Caller caller, String schedule, ScheduleChange change) {
    ScheduleUpdate update =
        new ScheduleUpdate(
            change.name(),
            change.prompt(),
            timing(change.cron(), change.at(), change.every()),
            change.zone().map(name -> TimeZones.parse("zone", name)),
            change.missed(),
            change.check().map(ScheduleOperations::checkChange).orElse(UnaryOperator.identity()));
    boolean check = change.check().filter(text -> !text.isBlank()).isPresent();
    return changed(caller, schedule, check, id -> service.update(id, update));
  }

  private static UnaryOperator<Optional<CheckCommand>> checkChange(String text) {
    Optional<CheckCommand> check = text.isBlank() ? Optional.empty() : Optional.of(check(text));
    return _ -> check;
  }

  /** Gives the prompt now; the next time stays as it is. */
  public ScheduleDetails runNow(Caller caller, String schedule) {
    Schedule found = changeable(caller, schedule, false);
    service.runNow(found.id());
    return show(caller, found.id().value());
  }

  private ScheduleView changed(
      Caller caller, String schedule, boolean check, Function<ScheduleId, Schedule> change) {
    return view(change.apply(changeable(caller, schedule, check).id()));
  }

  private Schedule changeable(Caller caller, String schedule, boolean check) {
    Schedule found = found(caller, schedule);
    context
        .permits()
        .require(
            caller,
            new Action.ChangeSchedule(
                found.id(), found.target().worker(), found.createdBy(), check, ownWorker(caller)));
    return found;
  }

  private Schedule found(Caller caller, String text) {
    ScheduleId id = ScheduleId.of(text);
    List<Schedule> matching =
        visible(caller, true).stream().filter(it -> it.id().value().startsWith(text)).toList();
    return matching.stream()
        .filter(it -> it.id().equals(id))
        .findFirst()
        .or(() ->
            IdPrefix.single(
                matching,
                "schedule_id",
                "several schedules start with " + text,
                it -> it.id().value()))
        .orElseThrow(() -> ScheduleService.notFound(id));
  }

  private ScheduleView view(Schedule schedule) {
    List<ScheduleRun> last = read(reading -> reading.schedules().runs(schedule.id(), 1));
    return ScheduleView.of(schedule, last.stream().findFirst());
  }

  private <T> T read(Ledger.Query<T> look) {
    return context.engine().ledger().read(look);
  }
}
