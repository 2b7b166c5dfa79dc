package dev.midcourse.agents.process.os;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;
import static java.nio.file.StandardWatchEventKinds.OVERFLOW;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls listeners when a file in their folder changes. One platform thread and one inotify instance
 * serve all folders. Folders without inotify are polled. In addition, every listener is called for
 * a full scan at a fixed interval, which finds changes without an event.
 */
public final class DirectoryWatcher implements AutoCloseable {

  /**
   * Receives changes on the thread of the watcher. An implementation must return quickly and pass
   * the work on.
   */
  @FunctionalInterface
  public interface Listener {

    /**
     * The named file was created or has changed. Without a name, the listener must check all files.
     */
    void changed(Optional<String> file);

    /** The named file was deleted. */
    default void gone(String file) {}
  }

  /** The registration of a listener, which lasts until it is closed. */
  public interface Registration extends AutoCloseable {
    @Override
    void close();
  }

  private static final System.Logger LOG = System.getLogger(DirectoryWatcher.class.getName());
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  private final @Nullable WatchService service;
  private final long netNanos;

  /** Guards the pairs of key and listeners against a close during a registration. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Map<WatchKey, List<Listener>> watched = new ConcurrentHashMap<>();
  private final List<Listener> lookedAt = new CopyOnWriteArrayList<>();
  private final Thread thread;
  private volatile boolean closed;

  private DirectoryWatcher(@Nullable WatchService service, Duration net) {
    this.service = service;
    this.netNanos = net.toNanos();
    this.thread = Thread.ofPlatform().name("folder-watch").daemon().unstarted(this::run);
  }

  /** Opens a watcher that uses inotify where available. */
  public static DirectoryWatcher open(Duration net) {
    return open(inotify(), net);
  }

  /** Opens a watcher that only polls, as on a system without inotify. */
  public static DirectoryWatcher openLooking(Duration net) {
    return open(Optional.empty(), net);
  }

  private static DirectoryWatcher open(Optional<WatchService> service, Duration net) {
    DirectoryWatcher watch = new DirectoryWatcher(service.orElse(null), net);
    watch.thread.start();
    return watch;
  }

  private static Optional<WatchService> inotify() {
    if (!System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux")) {
      return Optional.empty();
    }
    try {
      return Optional.of(FileSystems.getDefault().newWatchService());
    } catch (IOException | UnsupportedOperationException none) {
      LOG.log(
          System.Logger.Level.WARNING,
          "inotify is not available; folders are polled instead.",
          none);
      return Optional.empty();
    }
  }

  /** Calls the listener for changes in this folder until the registration is closed. */
  public Registration register(Path folder, Listener listener) {
    lock.lock();
    try {
      WatchKey key = keyFor(folder);
      if (key == null) {
        lookedAt.add(listener);
        LockSupport.unpark(thread);
        return () -> lookedAt.remove(listener);
      }
      watched.computeIfAbsent(key, k -> new CopyOnWriteArrayList<>()).add(listener);
      return () -> forget(key, listener);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns null when this folder must be polled, because there is no watch service or inotify has
   * no watch left.
   */
  private @Nullable WatchKey keyFor(Path folder) {
    WatchService inotify = service;
    if (inotify == null) {
      return null;
    }
    try {
      return folder.register(inotify, ENTRY_CREATE, ENTRY_MODIFY, ENTRY_DELETE);
    } catch (IOException | ClosedWatchServiceException noWatch) {
      LOG.log(
          System.Logger.Level.WARNING,
          "inotify does not watch " + folder + "; the folder is polled instead.",
          noWatch);
      return null;
    }
  }

  private void forget(WatchKey key, Listener listener) {
    lock.lock();
    try {
      List<Listener> listeners = watched.get(key);
      if (listeners != null) {
        listeners.remove(listener);
        if (listeners.isEmpty()) {
          watched.remove(key);
          key.cancel();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    long nextNet = System.nanoTime() + netNanos;
    try {
      while (!closed) {
        long untilNet = nextNet - System.nanoTime();
        if (untilNet <= 0) {
          watched.values().forEach(listeners -> tell(listeners, DirectoryWatcher::lookAtAll));
          nextNet = System.nanoTime() + netNanos;
          continue;
        }
        await(lookedAt.isEmpty() ? untilNet : Math.min(untilNet, POLL_INTERVAL.toNanos()));
        tell(lookedAt, DirectoryWatcher::lookAtAll);
      }
    } catch (ClosedWatchServiceException | InterruptedException end) {
      // Closed.
    }
  }

  private void await(long nanos) throws InterruptedException {
    WatchService inotify = service;
    if (inotify == null) {
      LockSupport.parkNanos(this, nanos);
      return;
    }
    WatchKey key = inotify.poll(nanos, TimeUnit.NANOSECONDS);
    if (key != null) {
      pass(key);
    }
  }

  private void pass(WatchKey key) {
    List<WatchEvent<?>> events = key.pollEvents();
    // Reset the key before the listeners look. A change during their look then causes another
    // event.
    boolean valid = key.reset();
    List<Listener> listeners = watched.getOrDefault(key, List.of());
    for (WatchEvent<?> event : events) {
      boolean unsure = OVERFLOW.equals(event.kind()) || !(event.context() instanceof Path);
      if (unsure) {
        tell(listeners, DirectoryWatcher::lookAtAll);
      } else if (ENTRY_DELETE.equals(event.kind())) {
        tell(listeners, listener -> listener.gone(event.context().toString()));
      } else {
        tell(listeners, listener -> listener.changed(Optional.of(event.context().toString())));
      }
    }
    if (!valid) {
      tell(listeners, DirectoryWatcher::lookAtAll);
    }
  }

  private static void lookAtAll(Listener listener) {
    listener.changed(Optional.empty());
  }

  private static void tell(List<Listener> listeners, Consumer<Listener> what) {
    for (Listener listener : listeners) {
      try {
        what.accept(listener);
      } catch (RuntimeException failure) {
        LOG.log(
            System.Logger.Level.ERROR,
            "The listener of a folder failed; it is called again at the next change.",
            failure);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      if (service != null) {
        service.close();
      }
    } catch (IOException failure) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Closing inotify failed; it is closed when the hub exits.",
          failure);
    }
    thread.interrupt();
  }
}
