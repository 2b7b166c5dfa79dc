package dev.midcourse.gateway.record;

import dev.midcourse.gateway.http.RequestHead;
import dev.midcourse.gateway.pump.AttemptRoute;
import dev.midcourse.gateway.pump.ExchangeObserver;
import dev.midcourse.gateway.pump.RouteLookup;
import dev.midcourse.gateway.pump.Upstream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** The routes of the folder, with the records of their requests. */
public final class AttemptRoutes implements RouteLookup {
  /** The memory of all copies together. */
  public static final long MAX_COPIES = 96L << 20;

  private static final System.Logger LOG = System.getLogger(AttemptRoutes.class.getName());

  private final RouteFolder folder;
  private final InstantSource clock;
  private final CopyBudget budget = new CopyBudget(MAX_COPIES);
  private final Semaphore parsing = new Semaphore(1);

  /** The attempts that had the latest requests. */
  private final Map<Path, AttemptRecords> records =
      Collections.synchronizedMap(new RecentAttempts());

  public AttemptRoutes(RouteFolder folder, InstantSource clock) {
    this.folder = folder;
    this.clock = clock;
  }

  @Override
  public Optional<AttemptRoute> find(String secret) {
    try {
      RouteSpec spec = folder.read(folder.file(new AttemptKey(secret)));
      return Optional.of(new RecordedRoute(Upstream.parse(spec.upstream()), recordsOf(spec)));
    } catch (NoSuchFileException fenced) {
      return Optional.empty();
    } catch (IOException
        | NoSuchElementException
        | IllegalArgumentException
        | UncheckedIOException failure) {
      LOG.log(
          Level.WARNING,
          "A route or its records cannot be read ({0}); its requests are refused.",
          failure.getMessage());
      return Optional.empty();
    }
  }

  private AttemptRecords recordsOf(RouteSpec spec) {
    return records.computeIfAbsent(
        spec.records(),
        path -> {
          try {
            return AttemptRecords.open(new RecordFile(path));
          } catch (IOException failure) {
            throw new UncheckedIOException(failure);
          }
        });
  }

  /** An attempt that is dropped here is read from its file again. */
  private static final class RecentAttempts extends LinkedHashMap<Path, AttemptRecords> {
    private static final long serialVersionUID = 1L;
    private static final int MAX_ATTEMPTS = 2000;

    RecentAttempts() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Path, AttemptRecords> eldest) {
      return size() > MAX_ATTEMPTS;
    }
  }

  /** Returns the bytes of copies that can still be made. */
  long freeCopies() {
    return budget.free();
  }

  private final class RecordedRoute implements AttemptRoute {
    private final Upstream upstream;
    private final AttemptRecords its;

    RecordedRoute(Upstream upstream, AttemptRecords its) {
      this.upstream = upstream;
      this.its = its;
    }

    @Override
    public Upstream upstream() {
      return upstream;
    }

    @Override
    public ExchangeObserver begin(RequestHead request) {
      return ExchangeRecorder.start(request, clock.instant(), its, budget, parsing);
    }
  }
}
