package dev.midcourse.hub;

import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.foreign.ForeignDriver;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.autopilot.CiAgent;
import dev.midcourse.autopilot.LookSchedule;
import dev.midcourse.autopilot.LoopParts;
import dev.midcourse.autopilot.LoopService;
import dev.midcourse.autopilot.catalogue.ForgeAdapters;
import dev.midcourse.autopilot.forge.ForgeRegistry;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.Version;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.Ids;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.watch.ProgressPolicy;
import dev.midcourse.core.watch.RetryPolicy;
import dev.midcourse.engine.Engine;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.engine.schedule.ConversationEntry;
import dev.midcourse.engine.schedule.ScheduleParts;
import dev.midcourse.engine.schedule.ScheduleService;
import dev.midcourse.engine.timer.LocalTimers;
import dev.midcourse.engine.timer.Timers;
import dev.midcourse.hub.api.Api;
import dev.midcourse.hub.api.access.DenialLog;
import dev.midcourse.hub.api.lookup.AgentSelector;
import dev.midcourse.hub.api.operation.HubContext;
import dev.midcourse.hub.api.operation.HubOperations;
import dev.midcourse.hub.auth.HubIdentity;
import dev.midcourse.hub.auth.HubToken;
import dev.midcourse.hub.auth.PageSessions;
import dev.midcourse.hub.auth.PageSignIn;
import dev.midcourse.hub.auth.PeerAuthenticator;
import dev.midcourse.hub.auth.PeerCredentials;
import dev.midcourse.hub.auth.TcpAuthenticator;
import dev.midcourse.hub.auth.TokenAuthenticator;
import dev.midcourse.hub.boot.CompilerThreadPriority;
import dev.midcourse.hub.boot.DataFolder;
import dev.midcourse.hub.boot.HiddenPaths;
import dev.midcourse.hub.boot.HubFile;
import dev.midcourse.hub.boot.HubGateway;
import dev.midcourse.hub.boot.SandboxedDriver;
import dev.midcourse.hub.boot.SessionFile;
import dev.midcourse.hub.boot.ToolServers;
import dev.midcourse.hub.chat.HubChats;
import dev.midcourse.hub.http.ApiRequestHandler;
import dev.midcourse.hub.http.HttpListener;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.loop.ForgeHookRoutes;
import dev.midcourse.hub.loop.LoopOperations;
import dev.midcourse.hub.loop.LoopPeople;
import dev.midcourse.hub.loop.LoopRoutes;
import dev.midcourse.hub.loop.LoopsInChats;
import dev.midcourse.hub.mailbox.Mailboxes;
import dev.midcourse.hub.mcp.LeadNotices;
import dev.midcourse.hub.mcp.McpRoutes;
import dev.midcourse.hub.mcp.McpServer;
import dev.midcourse.hub.metrics.AgentProcesses;
import dev.midcourse.hub.metrics.SteerLatency;
import dev.midcourse.hub.page.PageFiles;
import dev.midcourse.hub.redis.RedisSteering;
import dev.midcourse.hub.schedule.ScheduleOperations;
import dev.midcourse.hub.schedule.ScheduleRoutes;
import dev.midcourse.hub.schedule.WorkerRunStarter;
import dev.midcourse.hub.settings.DatabaseUrl;
import dev.midcourse.hub.settings.HubSettings;
import dev.midcourse.hub.settings.RedisSettings;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.PostgresLedger;
import dev.midcourse.ledger.sql.SqliteLedger;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Starts a hub: takes the data folder, so that there is only one hub; binds the endpoints, where
 * clients may already connect; then opens everything else, and makes a request to itself through
 * each endpoint. A start that fails closes everything again.
 */
public final class HubStartup {
  public static final String SOCKET = "hub.sock";
  private static final String IPC = "ipc";
  private static final String KEY = "hub.key";
  private static final AgentName FOREIGN = AgentName.of("foreign");

  private final HubSettings settings;
  private final Function<ProcessHost, Drivers> drivers;
  private final InstantSource clock = InstantSource.system();
  private final SecureRandom random = new SecureRandom();
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  private HubStartup(HubSettings settings, Function<ProcessHost, Drivers> drivers) {
    this.settings = settings;
    this.drivers = drivers;
  }

  public static Hub of(HubSettings settings, Function<ProcessHost, Drivers> drivers) {
    HubStartup opening = new HubStartup(settings, drivers);
    try {
      return opening.start();
    } catch (RuntimeException e) {
      opening.undo(e);
      throw e;
    }
  }

  private void undo(RuntimeException why) {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        why.addSuppressed(e);
      }
    }
  }

  private <T extends AutoCloseable> T keep(T resource) {
    opened.push(resource);
    return resource;
  }

  private Hub start() {
    Instant startedAt = clock.instant();
    DataFolder folder = keep(DataFolder.take(settings.data()));
    // In parallel with the rest of the start, because the first call of the C library is slow.
    CompletableFuture<Optional<PeerCredentials>> credentials =
        CompletableFuture.supplyAsync(PeerCredentials::ofThisSystem);
    CompletableFuture<?> _ = credentials.thenRun(CompilerThreadPriority::lower);
    HubListeners listeners = new HubListeners(settings, folder);
    HttpListener local = keep(listeners.bindSocket());
    HttpListener remote = keep(listeners.bindPort());
    Ledger ledger = keep(ledger(folder));
    ProcessHost processes = keep(processes());
    Optional<HubGateway> gateway = HubGateway.open(settings.agentSettings(), folder, processes);
    gateway.ifPresent(this::keep);
    Drivers direct = drivers.apply(processes);
    Drivers own =
        gateway
            .map(it -> it.inFrontOf(direct))
            .orElse(direct)
            .each((name, driver) -> confined(name, driver, folder));
    Drivers drivers = withForeign(own, processes, folder);
    HubToken token = new HubToken(settings.keepToken() ? folder.token() : folder.rotateToken());
    PageSignIn signIn =
        new PageSignIn(
            new PageSessions(new SessionFile(folder), clock, remote.port()),
            new HubIdentity(line -> folder.kept(KEY, line)),
            clock);
    PeerAuthenticator keeper =
        new PeerAuthenticator(
            credentials::join, folder.owner(), ledger, token, settings.workers().groups());
    refuseIfStartedByAgent(keeper);
    Driver ci = confined(CiAgent.NAME, ciDriver(processes), folder);
    Engine engine =
        keep(
            Engine.start(
                engineSettings(folder), ledger, drivers.with(CiAgent.NAME, ci), clock, random));
    Timers timers = keep(new LocalTimers(clock));
    LeadNotices leads = keep(new LeadNotices(engine, settings.workers().groups()));
    SteerLatency steerLatency = keep(new SteerLatency(ledger, folder.host(), clock));
    CountDownLatch asked = new CountDownLatch(1);
    HubFile file =
        new HubFile(
            ProcessHandle.current().pid(), listeners.url(remote.port()), Version.NUMBER, startedAt);
    Hub hub =
        new Hub(
            new Hub.Open(
                folder, local, remote, ledger, processes, engine, timers, leads, steerLatency),
            file,
            asked);
    gateway.ifPresent(hub::alsoClose);
    HubContext context =
        new HubContext(
            engine,
            new AgentSelector(drivers, settings.defaultAgent(), clock),
            settings.workers(),
            steerLatency,
            new AgentProcesses(processes::marksAlive, ledger, folder.host(), clock),
            new DenialLog(ledger, clock),
            new Ids(random),
            clock,
            new HubContext.HubInfo(
                file.version(), file.pid(), folder.path(), file.url(), file.startedAt()),
            new HubContext.HubAccess(
                signIn,
                listeners.pageUrl(remote.port()),
                () -> token.replace(folder.rotateToken()),
                token::prove,
                settings.keepToken()),
            hub::clients,
            asked::countDown);
    HubOperations operations = new HubOperations(context);
    Mailboxes boxes = keep(mailboxes(folder, processes, engine, operations));
    engine.notices().add(leads, boxes);
    hub.alsoClose(boxes);
    settings.redis().ifPresent(redis -> openRedis(redis, engine, operations, hub));
    LoopOperations loops = keep(loops(context, operations, timers, folder));
    hub.alsoClose(loops);
    HubChats chats =
        keep(
            new HubChats(
                context,
                settings.chat(),
                settings.channels(),
                timers,
                run -> Optional.of(runLink(context.access(), run)),
                new LoopsInChats(loops, context.workers())));
    hub.alsoClose(chats);
    ScheduleOperations schedules =
        schedules(context, operations, timers, chats.conversations().scheduleEntry());
    ApiRequestHandler requestHandler =
        new ApiRequestHandler(
            Api.routes(
                context,
                operations,
                described(chats, schedules, loops),
                Stream.<List<Route<?, ?>>>of(
                        new McpRoutes(new McpServer(operations, schedules, chats.agentOperations()))
                            .routes(),
                        chats.channelRoutes(),
                        new ForgeHookRoutes(loops).routes())
                    .<Route<?, ?>>flatMap(List::stream)
                    .toList()),
            new PageFiles(),
            operations.groups()::actAs);
    chats.start(); // before the first request, which may be a message
    write(folder, file);
    local.open(requestHandler, keeper);
    remote.open(requestHandler, new TcpAuthenticator(new TokenAuthenticator(token), signIn));
    local.answerItself();
    remote.answerItself();
    schedules.start();
    loops.start();
    return hub;
  }

  /** A link that signs one browser in and opens the run. */
  private static String runLink(HubContext.HubAccess access, RunId run) {
    return access.pageUrl() + "/runs/" + run + "#code=" + access.signIn().issueCode().text();
  }

  private ScheduleOperations schedules(
      HubContext context, HubOperations operations, Timers timers, ConversationEntry entry) {
    return new ScheduleOperations(
        context,
        operations,
        new ScheduleService(
            new ScheduleParts(
                context.engine().ledger(),
                context.engine().runs(),
                timers,
                clock,
                context.ids(),
                new WorkerRunStarter(operations.runs()),
                entry,
                HubEnvironment.ofThisProcess())));
  }

  private LoopOperations loops(
      HubContext context, HubOperations operations, Timers timers, DataFolder folder) {
    return new LoopOperations(
        context,
        operations,
        new LoopService(
            new LoopParts(
                context.engine().ledger(),
                context.engine().runs(),
                context.engine().steering(),
                timers,
                clock,
                context.ids(),
                folder.host(),
                folder.path().resolve("loops"),
                new ForgeRegistry(settings.forges(), new ForgeAdapters(clock)),
                new LoopPeople(context.engine().ledger()),
                LookSchedule.DEFAULT)));
  }

  private static Driver ciDriver(ProcessHost processes) {
    return CiAgent.driver(processes, HubEnvironment.ofThisProcess());
  }

  private static List<Route<?, ?>> described(
      HubChats chats, ScheduleOperations schedules, LoopOperations loops) {
    return Stream.of(
            new ScheduleRoutes(schedules).routes(), new LoopRoutes(loops).routes(), chats.routes())
        .flatMap(List::stream)
        .toList();
  }

  private Driver confined(AgentName name, Driver driver, DataFolder folder) {
    return new SandboxedDriver(
        driver,
        settings.workers(),
        HiddenPaths.of(folder.path()),
        settings.namesOf(name),
        ToolServers.ofThisInstallation(folder.path()));
  }

  /** Returns the driver of workers that the hub does not start, if the settings declare one. */
  private Drivers withForeign(Drivers drivers, ProcessHost processes, DataFolder folder) {
    boolean wanted =
        settings.workers().workers().stream()
            .anyMatch(plan -> plan.agent().filter(FOREIGN::equals).isPresent());
    return wanted
        ? drivers.with(
            FOREIGN, new ForeignDriver(folder.path().resolve(IPC), processes.folders(), clock))
        : drivers;
  }

  private Mailboxes mailboxes(
      DataFolder folder, ProcessHost processes, Engine engine, HubOperations operations) {
    Mailboxes boxes =
        new Mailboxes(
            folder.path().resolve(IPC),
            settings.workers().groups(),
            engine,
            operations,
            processes.folders(),
            clock);
    boxes.open();
    return boxes;
  }

  /** The only use of the package, so that its library is loaded only if the settings name Redis. */
  private void openRedis(RedisSettings redis, Engine engine, HubOperations operations, Hub hub) {
    hub.alsoCloseRedis(
        keep(
            RedisSteering.start(
                redis, settings.workers().groups(), engine, operations.steers(), clock, random)));
  }

  private Ledger ledger(DataFolder folder) {
    if (settings.databaseUrl().isEmpty()) {
      return SqliteLedger.open(folder.file("midcourse.db"));
    }
    DatabaseUrl url = DatabaseUrl.parse(settings.databaseUrl().get());
    return PostgresLedger.open(url.jdbc(), url.user(), url.password());
  }

  private static ProcessHost processes() {
    try {
      return ProcessHost.open();
    } catch (IOException e) {
      throw new RefusedException(
          Problem.of(
              Code.UNAVAILABLE,
              "processes",
              "a system that shows its processes",
              "agents cannot be looked after here: " + e.getMessage()),
          e);
    }
  }

  private static void refuseIfStartedByAgent(PeerAuthenticator keeper) {
    keeper
        .startedBy()
        .ifPresent(run -> {
          throw Problem.of(
                  Code.FORBIDDEN,
                  "caller",
                  "a person starts the hub",
                  "a process of run " + run + " may not start the hub of that run")
              .refused();
        });
  }

  private EngineSettings engineSettings(DataFolder folder) {
    EngineSettings defaults = EngineSettings.defaults(folder.host(), folder.path());
    return new EngineSettings(
        defaults.host(),
        defaults.folder(),
        settings.maxRunning(),
        settings.workers().atOnce(),
        settings.agentBounds(),
        StopTimeouts.DEFAULT,
        settings.stallPolicy(),
        RetryPolicy.DEFAULT,
        ProgressPolicy.DEFAULT,
        defaults.settle(),
        defaults.askTimeout(),
        defaults.lease(),
        settings.workers().limits());
  }

  private static void write(DataFolder folder, HubFile file) {
    try {
      folder.replace(HubFile.NAME, file.json());
    } catch (IOException e) {
      throw new RefusedException(
          Problem.of(
              Code.UNAVAILABLE,
              "data",
              "a folder that can be written",
              "cannot write " + folder.file(HubFile.NAME) + ": " + e.getMessage()),
          e);
    }
  }
}
