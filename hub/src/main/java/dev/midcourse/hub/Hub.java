package dev.midcourse.hub;

import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.catalogue.AgentCatalogue;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.core.id.RunId;
import dev.midcourse.engine.Engine;
import dev.midcourse.engine.timer.Timers;
import dev.midcourse.hub.boot.DataFolder;
import dev.midcourse.hub.boot.HubFile;
import dev.midcourse.hub.boot.HubGateway;
import dev.midcourse.hub.chat.HubChats;
import dev.midcourse.hub.http.HttpListener;
import dev.midcourse.hub.loop.LoopOperations;
import dev.midcourse.hub.mailbox.Mailboxes;
import dev.midcourse.hub.mcp.LeadNotices;
import dev.midcourse.hub.metrics.SteerLatency;
import dev.midcourse.hub.settings.HubSettings;
import dev.midcourse.ledger.Ledger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A running hub. It can be killed at any moment: the next hub attaches to its agents. A regular end
 * finishes the current requests, leaves the agents running and lists them.
 */
public final class Hub implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Hub.class.getName());
  private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);

  private final Open open;
  private final HubFile file;
  private final CountDownLatch asked;

  /** Guards {@link #left}. */
  private final Object leaving = new Object();

  private Optional<List<RunId>> left = Optional.empty();

  /** The resources of a hub, in the order of opening. */
  public record Open(
      DataFolder folder,
      HttpListener local,
      HttpListener remote,
      Ledger ledger,
      ProcessHost processes,
      Engine engine,
      Timers timers,
      LeadNotices leads,
      SteerLatency steerLatency) {}

  private Optional<Mailboxes> mailboxes = Optional.empty();
  private Optional<AutoCloseable> redis = Optional.empty();
  private Optional<HubChats> chats = Optional.empty();
  private Optional<LoopOperations> loops = Optional.empty();
  private Optional<HubGateway> gateway = Optional.empty();

  public Hub(Open open, HubFile file, CountDownLatch asked) {
    this.open = open;
    this.file = file;
    this.asked = asked;
  }

  /** Sets the mailboxes, which are opened last. The shutdown closes them. */
  public void alsoClose(Mailboxes boxes) {
    mailboxes = Optional.of(boxes);
  }

  /** The channels and conversations. */
  void alsoClose(HubChats ofThisHub) {
    chats = Optional.of(ofThisHub);
  }

  /** The autopilot loops. */
  void alsoClose(LoopOperations ofThisHub) {
    loops = Optional.of(ofThisHub);
  }

  /** The gateway between agents and their models. */
  void alsoClose(HubGateway ofThisHub) {
    gateway = Optional.of(ofThisHub);
  }

  /** The reader of the lists in Redis. Its type would load the client library. */
  void alsoCloseRedis(AutoCloseable steering) {
    redis = Optional.of(steering);
  }

  /** Starts a hub with the agents that come with Midcourse and those of its settings. */
  public static Hub start(HubSettings settings) {
    return HubStartup.of(
        settings,
        host ->
            new AgentCatalogue(host, HubEnvironment.ofThisProcess())
                .drivers(settings.agentSettings()));
  }

  /** Starts a hub with the agents of these drivers, which are made for the hub's processes. */
  public static Hub start(HubSettings settings, Function<ProcessHost, Drivers> drivers) {
    return HubStartup.of(settings, drivers);
  }

  /** Returns the URL of the hub for programs and browsers. */
  public String url() {
    return file.url();
  }

  public int port() {
    return open.remote().port();
  }

  public Engine engine() {
    return open.engine();
  }

  /** Returns the number of connected clients. */
  public int clients() {
    return open.local().connections() + open.remote().connections();
  }

  /** Returns the number of connections since the start. */
  public long connectionsSinceStart() {
    return open.local().connectionsSinceStart() + open.remote().connectionsSinceStart();
  }

  /** Whether no run is live, no schedule is active and no client is connected. */
  public boolean idle() {
    return clients() == 0
        && chats.filter(HubChats::isAwaited).isEmpty()
        && open.engine().attended().isEmpty()
        && !open.ledger().<Boolean>read(reading -> reading.schedules().hasActive())
        && open.ledger().read(reading -> reading.liveRuns()).isEmpty();
  }

  /**
   * Waits until a shutdown is requested, for at most this time. Returns whether it was requested.
   */
  public boolean awaitShutdown(Duration atMost) throws InterruptedException {
    return asked.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Shuts the hub down, once. Returns the runs whose agents keep running for the next hub. */
  public List<RunId> leave() {
    synchronized (leaving) {
      if (left.isEmpty()) {
        left = Optional.of(shutdown());
      }
      return left.get();
    }
  }

  private List<RunId> shutdown() {
    asked.countDown();
    open.local().close(CLOSE_TIMEOUT);
    open.remote().close(CLOSE_TIMEOUT);
    open.folder().remove(HubStartup.SOCKET);
    closeRedis();
    chats.ifPresent(HubChats::close);
    loops.ifPresent(LoopOperations::close);
    open.timers().close();
    List<RunId> runs = open.engine().leave();
    mailboxes.ifPresent(Mailboxes::close);
    open.leads().close();
    open.steerLatency().close();
    open.ledger().close();
    gateway.ifPresent(HubGateway::close);
    open.processes().close();
    open.folder().remove(HubFile.NAME);
    open.folder().close();
    return runs;
  }

  private void closeRedis() {
    try {
      if (redis.isPresent()) {
        redis.get().close();
      }
    } catch (Exception e) {
      LOG.log(
          Level.WARNING,
          "Closing the connection to Redis failed ({0}). The next hub takes what is left there.",
          e.getMessage());
    }
  }

  @Override
  public void close() {
    leave();
  }
}
