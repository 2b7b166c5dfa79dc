package dev.midcourse.ledger;

import dev.midcourse.core.event.EventKind;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.json.EventCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The append-only log by cursor. Reading after a cursor gives every committed entry once and in
 * order, also while writers commit.
 */
public interface Log {
  /** Entries after the cursor that the filter lets through, oldest first, at most {@code limit}. */
  Page after(long cursor, Filter filter, int limit);

  /** The last {@code limit} entries the filter lets through, oldest first. */
  Page last(Filter filter, int limit);

  /** The cursor of the newest committed entry; 0 when there is none. */
  long newest();

  /** Subscribes. A subscription for one run is not woken by the entries of other runs. */
  Subscription subscribe(Filter filter);

  /** Like {@link #after}, but blocks up to {@code atMost} until there is an entry. */
  default Page await(long cursor, Filter filter, int limit, Duration atMost)
      throws InterruptedException {
    try (Subscription listening = subscribe(filter)) {
      return listening.await(cursor, limit, atMost);
    }
  }

  /** Waits for entries again and again, on one thread, until it is closed. */
  interface Subscription extends AutoCloseable {
    /** Entries after the cursor; blocks up to {@code atMost} until there is one. */
    Page await(long cursor, int limit, Duration atMost) throws InterruptedException;

    @Override
    void close();
  }

  /**
   * An entry of the log. Listeners outside get {@code json}, the fields of the event, as it is
   * stored; {@link #event} reads it.
   */
  record LogEntry(long cursor, Instant at, RunId run, String kind, String json) {
    /** Decodes the event, on each call. */
    public RunEvent event() {
      return EventCodec.decode(kind, json);
    }
  }

  /**
   * Some entries, and the cursor to continue from. That cursor is after all entries that were read,
   * including those that the filter rejected.
   */
  record Page(List<LogEntry> entries, long next) {
    public Page {
      entries = List.copyOf(entries);
    }
  }

  /** Selects the entries of one run or of all, of some kinds or of all. */
  record Filter(Optional<RunId> run, Set<String> kinds) {
    public static final Filter ALL = new Filter(Optional.empty(), Set.of());

    public Filter {
      kinds = Set.copyOf(kinds);
    }

    /** Entries of all runs that are of one of these kinds, or of any kind if none is given. */
    @SafeVarargs
    public static Filter of(Class<? extends RunEvent>... kinds) {
      Set<String> names = new HashSet<>();
      for (Class<? extends RunEvent> kind : kinds) {
        names.add(EventKind.of(kind));
      }
      return new Filter(Optional.empty(), names);
    }

    /** Entries of one run that are of one of these kinds, or of any kind if none is given. */
    @SafeVarargs
    public static Filter of(RunId run, Class<? extends RunEvent>... kinds) {
      return of(kinds).with(run);
    }

    /** The same kinds, of one run only. */
    public Filter with(RunId only) {
      return new Filter(Optional.of(only), kinds);
    }

    public boolean matches(LogEntry entry) {
      return run.map(entry.run()::equals).orElse(true)
          && (kinds.isEmpty() || kinds.contains(entry.kind()));
    }
  }
}
