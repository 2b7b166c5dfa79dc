package dev.midcourse.gateway.process;

import dev.midcourse.agents.process.AttachResult;
import dev.midcourse.agents.process.HostedProcess;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.Launch;
import dev.midcourse.agents.process.attempt.LaunchFailure;
import dev.midcourse.agents.process.attempt.OutputFile;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.gateway.process.GatewayFolder.GatewayState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * The gateway of this host, which runs as long as this object is open and longer: it is adopted
 * from an earlier hub or started, and started again on the same port when it dies. {@link #close}
 * leaves it running for the next hub.
 */
public final class GatewayProcess implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(GatewayProcess.class.getName());
  private static final Duration MAX_START = Duration.ofSeconds(30);
  private static final Duration FIRST_RETRY_DELAY = Duration.ofMillis(50);
  private static final Duration MAX_RETRY_DELAY = Duration.ofSeconds(5);

  private final ProcessHost host;
  private final GatewayFolder folder;
  private final List<String> command;

  /** Guards the fields below. */
  private final ReentrantLock lock = new ReentrantLock();

  private Optional<HostedProcess> program = Optional.empty();
  private boolean closed;
  private boolean ended;
  private volatile int port;

  private GatewayProcess(ProcessHost host, GatewayFolder folder, List<String> command) {
    this.host = host;
    this.folder = folder;
    this.command = List.copyOf(command);
  }

  /** Adopts the gateway of this folder, or starts one. When this returns, it can be used. */
  public static GatewayProcess open(ProcessHost host, GatewayFolder folder)
      throws IOException, InterruptedException {
    return open(host, folder, GatewayCommand.of(folder));
  }

  static GatewayProcess open(ProcessHost host, GatewayFolder folder, List<String> command)
      throws IOException, InterruptedException {
    GatewayProcess gateway = new GatewayProcess(host, folder, command);
    Optional<HostedProcess> found = gateway.find();
    gateway.use(found.isPresent() ? found.get() : gateway.start());
    return gateway;
  }

  /** Returns the port on the loopback address. It stays the same when the process is replaced. */
  public int port() {
    return port;
  }

  /** Returns the process id of the gateway that runs. */
  public long pid() throws IOException {
    return folder.state().map(GatewayState::pid).orElse(0L);
  }

  private Optional<HostedProcess> find() throws IOException, InterruptedException {
    Optional<ProcessMarker> mark = folder.lastMark();
    if (mark.isEmpty() || !Files.isDirectory(folder.process(mark.get()))) {
      return Optional.empty();
    }
    return switch (host.find(new AttemptFolder(folder.process(mark.get())), mark.get())) {
      case AttachResult.Alive(HostedProcess alive) -> {
        awaitReady(alive);
        yield Optional.of(alive);
      }
      case AttachResult.Over(HostedProcess over, var _) -> {
        over.close();
        yield Optional.empty();
      }
      case AttachResult.NeverStarted() -> Optional.empty();
    };
  }

  private HostedProcess start() throws IOException, InterruptedException {
    removeOldFolders();
    ProcessMarker mark = ProcessMarker.fresh();
    folder.write(mark);
    AttemptFolder its = AttemptFolder.create(folder.process(mark));
    Map<String, String> environment = Map.of("PATH", "/usr/local/bin:/usr/bin:/bin");
    HostedProcess started;
    try {
      started = host.start(new Launch(command, environment, folder.path(), mark), its);
    } catch (LaunchFailure failure) {
      throw new IOException("the gateway cannot be started: " + failure.getMessage(), failure);
    }
    awaitReady(started);
    return started;
  }

  /** Waits until the process has written its state, which it does when it listens. */
  private void awaitReady(HostedProcess started) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + MAX_START.toNanos();
    while (folder.state().filter(it -> it.mark().equals(started.mark().token())).isEmpty()) {
      if (started.exit().isPresent() || System.nanoTime() > deadline) {
        String words = Files.readString(started.folder().output(OutputFile.ERR)).strip();
        started.tree().end(StopTimeouts.IMMEDIATE, () -> {});
        started.close();
        throw new IOException("the gateway did not start: " + words);
      }
      TimeUnit.MILLISECONDS.sleep(2);
    }
  }

  private void use(HostedProcess started) throws IOException, InterruptedException {
    lock.lock();
    try {
      if (closed) {
        if (ended) {
          started.tree().end(StopTimeouts.IMMEDIATE, () -> {});
        }
        started.close();
        return;
      }
      program.ifPresent(HostedProcess::close);
      program = Optional.of(started);
      port = folder.state().map(GatewayState::port).orElseThrow();
    } finally {
      lock.unlock();
    }
    CompletableFuture<?> _ =
        started
            .onExit()
            .thenRun(() -> Thread.ofVirtual().name("gateway-restart").start(this::restart));
  }

  private void restart() {
    Duration delay = FIRST_RETRY_DELAY;
    while (!isClosed()) {
      try {
        int before = port;
        use(start());
        LOG.log(
            Level.WARNING,
            "The gateway ended and was started again on port {0}; its agents repeat their requests.",
            Integer.toString(before));
        return;
      } catch (IOException failure) {
        LOG.log(
            Level.ERROR,
            "The gateway ended and cannot be started again ({0}); trying again in {1} ms. Agents"
                + " behind it reach no model until then.",
            failure.getMessage(),
            delay.toMillis());
        try {
          Thread.sleep(delay);
        } catch (InterruptedException asked) {
          return;
        }
        delay =
            delay.multipliedBy(2).compareTo(MAX_RETRY_DELAY) > 0
                ? MAX_RETRY_DELAY
                : delay.multipliedBy(2);
      } catch (InterruptedException asked) {
        return;
      }
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Removes the folders of processes that have ended. */
  private void removeOldFolders() throws IOException {
    List<Path> old;
    try (Stream<Path> entries = Files.list(folder.path())) {
      old = entries.filter(it -> String.valueOf(it.getFileName()).startsWith("process-")).toList();
    }
    for (Path each : old) {
      try (Stream<Path> files = Files.walk(each)) {
        files
            .sorted(Comparator.reverseOrder())
            .forEach(file -> {
              try {
                Files.deleteIfExists(file);
              } catch (IOException failure) {
                throw new UncheckedIOException(failure);
              }
            });
      } catch (UncheckedIOException failure) {
        LOG.log(Level.DEBUG, "{0} stays: {1}", each, failure.getMessage());
      }
    }
  }

  /** Ends the gateway, for a host that needs none any more. */
  public void end() throws InterruptedException {
    Optional<HostedProcess> last = release(true);
    if (last.isPresent()) {
      last.get().tree().end(StopTimeouts.IMMEDIATE, () -> {});
      last.get().close();
    }
  }

  /** Releases the gateway, which keeps running. */
  @Override
  public void close() {
    release(false).ifPresent(HostedProcess::close);
  }

  private Optional<HostedProcess> release(boolean andEnd) {
    lock.lock();
    try {
      closed = true;
      ended |= andEnd;
      Optional<HostedProcess> last = program;
      program = Optional.empty();
      return last;
    } finally {
      lock.unlock();
    }
  }
}
