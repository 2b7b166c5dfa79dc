package dev.midcourse.hub.auth;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.hub.http.server.AuthenticationLease;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The sessions of browsers. They survive a restart of the hub. A revoked or expired session opens
 * nothing any more, and its open event streams end.
 */
public final class PageSessions {
  /** Above this number the least recently used session ends. */
  static final int MAX_SESSIONS = 100;

  /** The last use is written at most this often. */
  static final Duration SAVE_INTERVAL = Duration.ofMinutes(5);

  private static final Comparator<PageSession> LAST_USED_FIRST =
      Comparator.comparing(PageSession::lastUsedAt).reversed().thenComparing(PageSession::id);

  private final Store store;
  private final InstantSource clock;
  private final int port;

  /** All of these are guarded by this object's monitor. */
  private final Map<String, PageSession> sessions = new HashMap<>();

  private final Map<String, Set<Lease>> leases = new HashMap<>();
  private Instant savedAt;

  /** Reads and writes all sessions. */
  public interface Store {
    List<PageSession> read();

    void write(List<PageSession> sessions) throws IOException;
  }

  /**
   * @param port the port at which the hub listens
   */
  public PageSessions(Store store, InstantSource clock, int port) {
    this.store = store;
    this.clock = clock;
    this.port = port;
    this.savedAt = clock.instant();
    store.read().forEach(session -> sessions.put(session.id(), session));
  }

  public int port() {
    return port;
  }

  synchronized void add(PageSession session) {
    Instant now = clock.instant();
    sessions.values().removeIf(old -> !now.isBefore(old.expiresAt()));
    while (sessions.size() >= MAX_SESSIONS) {
      String last = sessions.values().stream().max(LAST_USED_FIRST).orElseThrow().id();
      end(last);
    }
    sessions.put(session.id(), session);
    save();
  }

  /** Returns the valid sessions, the last used first. */
  public synchronized List<PageSession> list() {
    Instant now = clock.instant();
    return sessions.values().stream()
        .filter(session -> now.isBefore(session.expiresAt()))
        .sorted(LAST_USED_FIRST)
        .toList();
  }

  synchronized Optional<PageSession> active(String id) {
    return Optional.ofNullable(sessions.get(id))
        .filter(session -> session.isActive(clock.instant(), port));
  }

  /** Records that an active session is used; returns whether it is active. */
  synchronized boolean use(String id) {
    Instant now = clock.instant();
    Optional<PageSession> active = active(id);
    active.ifPresent(session -> sessions.put(id, session.withLastUse(now)));
    if (active.isPresent() && Duration.between(savedAt, now).compareTo(SAVE_INTERVAL) > 0) {
      save();
    }
    return active.isPresent();
  }

  /** Renews the lifetime of an active session. */
  public synchronized Optional<PageSession> extend(String id, boolean stay) {
    Optional<PageSession> extended =
        active(id).map(session -> session.withStay(stay, clock.instant()));
    extended.ifPresent(session -> {
      sessions.put(id, session);
      save();
    });
    return extended;
  }

  /** Ends the sessions of these ids, and their open event streams; returns how many there were. */
  public synchronized int revoke(Predicate<String> which) {
    List<String> ended = list().stream().map(PageSession::id).filter(which).toList();
    ended.forEach(this::end);
    if (!ended.isEmpty()) {
      save();
    }
    return ended.size();
  }

  private void end(String id) {
    sessions.remove(id);
    Set<Lease> open = leases.remove(id);
    if (open != null) {
      open.forEach(lease -> lease.onEnd.run());
    }
  }

  private void save() {
    try {
      store.write(new ArrayList<>(sessions.values()));
      savedAt = clock.instant();
    } catch (IOException e) {
      throw new RefusedException(
          Problem.of(
              Code.UNAVAILABLE,
              "sessions",
              "a data directory that can be written",
              "the sessions cannot be written ("
                  + e.getMessage()
                  + "); the change holds until the hub restarts. Repeat it when the disk has room"),
          e);
    }
  }

  /** Keeps a response open for as long as the session holds. */
  AuthenticationLease lease(String id, Runnable onEnd) {
    Lease lease = new Lease(id, onEnd);
    synchronized (this) {
      leases.computeIfAbsent(id, _ -> new HashSet<>()).add(lease);
    }
    if (!lease.holds()) {
      onEnd.run();
    }
    return lease;
  }

  private final class Lease implements AuthenticationLease {
    private final String id;
    private final Runnable onEnd;

    Lease(String id, Runnable onEnd) {
      this.id = id;
      this.onEnd = onEnd;
    }

    @Override
    public boolean holds() {
      return active(id).isPresent();
    }

    @Override
    public void close() {
      synchronized (PageSessions.this) {
        Set<Lease> open = leases.get(id);
        if (open != null && open.remove(this) && open.isEmpty()) {
          leases.remove(id);
        }
      }
    }
  }
}
