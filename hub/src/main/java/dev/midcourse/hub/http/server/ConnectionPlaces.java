package dev.midcourse.hub.http.server;

import java.time.Duration;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The places for connections of one endpoint. When all are taken, a new connection gets the place
 * of the one that is connected for longest without an authenticated request; if there is none, of
 * the one that is idle for longest between two requests. So a client that sends its request at once
 * is served, however many others wait. Connections with a request in progress keep their place.
 */
public final class ConnectionPlaces {
  /** After an answer the client has this time to send its next request. */
  private static final Duration MIN_IDLE = Duration.ofSeconds(5);

  /**
   * The maximum time for a closed connection to leave its place. Then another connection is closed.
   */
  private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(1);

  private final Semaphore free;

  /** In the order in which they came. Guarded by itself. */
  private final Set<TimedSocket> taken = new LinkedHashSet<>();

  /**
   * The connections without an authenticated request at the last check. Guarded by {@link #taken}.
   */
  private final Set<TimedSocket> unauthenticated = new LinkedHashSet<>();

  public ConnectionPlaces(int most) {
    this.free = new Semaphore(most);
  }

  /** Waits for a free place for the connection. Closes another connection if there is none. */
  public void take(TimedSocket socket) throws InterruptedException {
    while (!free.tryAcquire()) {
      closeOne(System.nanoTime());
      if (free.tryAcquire(LEAVE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        break;
      }
    }
    synchronized (taken) {
      taken.add(socket);
      unauthenticated.add(socket);
    }
  }

  /** Frees the place of a connection that has ended. */
  public void leave(TimedSocket socket) {
    synchronized (taken) {
      taken.remove(socket);
      unauthenticated.remove(socket);
    }
    free.release();
  }

  private void closeOne(long now) {
    synchronized (taken) {
      oldestUnauthenticated().or(() -> longestIdle(now)).ifPresent(TimedSocket::closeQuietly);
    }
  }

  private Optional<TimedSocket> oldestUnauthenticated() {
    Iterator<TimedSocket> sockets = unauthenticated.iterator();
    while (sockets.hasNext()) {
      TimedSocket socket = sockets.next();
      sockets.remove();
      if (!socket.isAuthenticated()) {
        return Optional.of(socket);
      }
    }
    return Optional.empty();
  }

  private Optional<TimedSocket> longestIdle(long now) {
    Stream<TimedSocket> idle =
        taken.stream().filter(socket -> socket.idleNanos(now) >= MIN_IDLE.toNanos());
    return idle.max(Comparator.comparingLong(socket -> socket.idleNanos(now)));
  }
}
