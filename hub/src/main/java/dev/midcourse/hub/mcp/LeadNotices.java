package dev.midcourse.hub.mcp;

import dev.midcourse.core.authority.Group;
import dev.midcourse.core.authority.Groups;
import dev.midcourse.core.authority.Role;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.core.watch.NewsText;
import dev.midcourse.core.watch.Notice;
import dev.midcourse.engine.Engine;
import dev.midcourse.engine.follow.Notices;
import dev.midcourse.ledger.LedgerReader;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Sends notices about workers to a lead that is an agent itself, as steers of its own run. Notices
 * of a burst are one message, with only the newest progress of each run; {@link NewsText} quotes
 * them, and their frame says that they are news.
 */
public final class LeadNotices implements Notices.Listener, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LeadNotices.class.getName());
  private static final Duration BURST = Duration.ofMillis(500);
  private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
  private static final int MAX_TRIES = 10;
  private static final int MAX_KEPT = 200;

  private final Engine engine;
  private final Groups groups;
  private final ScheduledExecutorService later =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("midcourse-lead-notices").daemon().factory());

  /** The notices that wait for each lead; guarded by itself. */
  private final Map<GroupName, List<Notice>> waiting = new HashMap<>();

  /**
   * The number of failures in a row for each lead; guarded by {@link #waiting}, as is {@link
   * #closed}.
   */
  private final Map<GroupName, Integer> failures = new HashMap<>();

  private boolean closed;

  public LeadNotices(Engine engine, Groups groups) {
    this.engine = engine;
    this.groups = groups;
  }

  @Override
  public void onNotice(Notice notice) {
    if (groups.named(notice.to()).map(Group::role).filter(Role.LEAD::equals).isEmpty()) {
      return;
    }
    synchronized (waiting) {
      List<Notice> burst = waiting.computeIfAbsent(notice.to(), _ -> new ArrayList<>());
      if (burst.isEmpty()) {
        var _ = later.schedule(() -> bring(notice.to()), BURST.toMillis(), TimeUnit.MILLISECONDS);
      }
      burst.removeIf(older -> replaces(notice, older));
      burst.add(notice);
    }
  }

  private static boolean replaces(Notice newer, Notice older) {
    return older.sign() == Notice.Sign.PROGRESS
        && newer.sign() == Notice.Sign.PROGRESS
        && older.run().equals(newer.run());
  }

  private void bring(GroupName lead) {
    List<Notice> burst = taken(lead);
    try {
      session(lead).filter(_ -> !burst.isEmpty()).ifPresent(session -> tell(session, burst));
      synchronized (waiting) {
        failures.remove(lead);
      }
    } catch (RuntimeException e) {
      keep(lead, burst, e);
    }
  }

  /** Retries failed notices together with newer ones, at most {@link #MAX_TRIES} times. */
  private void keep(GroupName lead, List<Notice> burst, RuntimeException why) {
    synchronized (waiting) {
      if (closed || failures.merge(lead, 1, Integer::sum) >= MAX_TRIES) {
        failures.remove(lead);
        LOG.log(
            Level.WARNING,
            "Sending notices to lead {0} failed ({1}); these notices are dropped.",
            lead,
            why.getMessage());
        return;
      }
      List<Notice> kept = new ArrayList<>(burst);
      kept.addAll(Optional.ofNullable(waiting.remove(lead)).orElse(List.of()));
      int tooMany = Math.max(0, kept.size() - MAX_KEPT);
      waiting.put(lead, new ArrayList<>(kept.subList(tooMany, kept.size())));
      var _ = later.schedule(() -> bring(lead), RETRY_DELAY.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private List<Notice> taken(GroupName lead) {
    synchronized (waiting) {
      return Optional.ofNullable(waiting.remove(lead)).orElse(List.of());
    }
  }

  /** Returns the live run of the lead; or else its run that waits for its next attempt. */
  private Optional<Run> session(GroupName lead) {
    return engine.ledger().read(LedgerReader::liveRuns).stream()
        .filter(run -> run.spec().worker().value().equals(lead.value()))
        .min(Comparator.comparing(run -> run.state() != RunState.RUNNING));
  }

  private void tell(Run session, List<Notice> burst) {
    engine.steering().submit(session.id(), Author.news(), SteerRequest.steer(NewsText.of(burst)));
  }

  /** Sends the waiting notices now, because the next hub does not have them. */
  @Override
  public void close() {
    List<GroupName> leads;
    synchronized (waiting) {
      closed = true;
      later.shutdownNow();
      leads = List.copyOf(waiting.keySet());
    }
    leads.forEach(this::bring);
  }
}
