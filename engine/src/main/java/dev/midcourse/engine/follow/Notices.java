package dev.midcourse.engine.follow;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.watch.Notice;
import dev.midcourse.core.watch.Notice.Sign;
import dev.midcourse.engine.context.EngineContext;
import dev.midcourse.ledger.Log;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Sends leads notices about their runs, from the log and on its own thread. A slow listener delays
 * other notices only. The cursor is stored, so that the next hub continues there; after a crash a
 * few notices may be sent twice.
 */
public final class Notices implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Notices.class.getName());
  private static final Duration CURSOR_STORE_INTERVAL = Duration.ofSeconds(5);
  private static final Log.Filter NEWS =
      Log.Filter.of(
          RunEvent.AgentStarted.class,
          RunEvent.Progressed.class,
          RunEvent.Quiet.class,
          RunEvent.SteerRaised.class,
          RunEvent.Asked.class,
          RunEvent.RunEnded.class);

  private final EngineContext context;
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private final NoticeScheduler gates = new NoticeScheduler();

  /** The lead and the worker of each live run. Both stay the same until the run is restarted. */
  private final Map<RunId, Whose> whose = new HashMap<>();

  private record Whose(GroupName lead, WorkerName worker) {}

  private final LogFollower follower;

  /** Passes notices on to a lead. */
  @FunctionalInterface
  public interface Listener {
    void onNotice(Notice notice);
  }

  public Notices(EngineContext context) {
    this.context = context;
    this.follower =
        new LogFollower(
            "notices." + context.settings().host(),
            context.ledger(),
            NEWS,
            CURSOR_STORE_INTERVAL,
            new NoticeReader());
  }

  /**
   * Adds listeners. The first call starts the notices, with those that the last hub did not send.
   */
  public synchronized void add(Listener... more) {
    listeners.addAll(List.of(more));
    follower.start();
  }

  @Override
  public synchronized void close() {
    follower.close();
  }

  /** Sends a notice for each entry, and the notices that are due. */
  private final class NoticeReader implements LogFollower.Reader {
    @Override
    public void read(List<Log.LogEntry> news) {
      news.forEach(Notices.this::consider);
      sendDue();
    }

    /** Sends the notices that wait: the next hub does not read their entries again. */
    @Override
    public void leave() {
      for (var next = gates.removeNext(); next.isPresent(); next = gates.removeNext()) {
        tell(next.get().run(), Sign.PROGRESS, next.get().summary(), context.clock().instant());
      }
    }

    @Override
    public Optional<Duration> maxWait() {
      return untilDue();
    }
  }

  private void consider(Log.LogEntry entry) {
    switch (entry.event()) {
      case RunEvent.AgentStarted _ -> {
        whose.remove(entry.run());
        tell(entry, Sign.STARTED, entry.run() + " started");
      }
      case RunEvent.Progressed it ->
          gates.progressed(entry.run(), it.summary(), context.clock().instant());
      case RunEvent.Quiet it -> tell(entry, Sign.QUIET, it.reason());
      case RunEvent.SteerRaised it -> {
        if (it.rung() == Rung.INJECTED) {
          tell(entry, Sign.STEER, "steer " + it.steer() + " injected");
        }
      }
      case RunEvent.Asked it -> tell(entry, Sign.ASKS, it.question());
      case RunEvent.RunEnded it -> {
        gates.ended(entry.run());
        tell(entry, Sign.ENDED, it.state().wire() + ended(it.result()));
        whose.remove(entry.run());
      }
      case RunEvent.RunQueued _,
          RunEvent.RunPicked _,
          RunEvent.RunRestarted _,
          RunEvent.AgentFound _,
          RunEvent.SessionNamed _,
          RunEvent.TurnStarted _,
          RunEvent.Said _,
          RunEvent.ToolStarted _,
          RunEvent.ToolFinished _,
          RunEvent.TurnEnded _,
          RunEvent.Idle _,
          RunEvent.IdleOver _,
          RunEvent.SteerStored _,
          RunEvent.SteerReturned _,
          RunEvent.SteerCarried _,
          RunEvent.SteerEdited _,
          RunEvent.SteerPromoted _,
          RunEvent.SteerEnded _,
          RunEvent.Interrupting _,
          RunEvent.Used _,
          RunEvent.AskAnswered _,
          RunEvent.AskClosed _,
          RunEvent.Waiting _,
          RunEvent.Garbage _,
          RunEvent.QuietOver _,
          RunEvent.AlarmDismissed _,
          RunEvent.AttemptLost _,
          RunEvent.StopAsked _,
          RunEvent.LimitReached _,
          RunEvent.RunReviewed _,
          RunEvent.CompletionAccepted _,
          RunEvent.CompletionRejected _,
          RunEvent.Denied _,
          RunEvent.LoopMoved _,
          RunEvent.Noted _,
          RunEvent.Unknown _ -> {}
    }
  }

  private static String ended(String result) {
    String line = dev.midcourse.core.watch.Progress.line(result);
    return line.isBlank() ? "" : ": " + line;
  }

  private void tell(Log.LogEntry entry, Sign sign, String text) {
    tell(entry.run(), sign, text, entry.at());
  }

  private void tell(RunId id, Sign sign, String text, Instant at) {
    Whose its = whose.computeIfAbsent(id, this::whose);
    if (its == null) {
      return; // the run was pruned
    }
    Notice notice = new Notice(its.lead(), id, its.worker(), sign, text, at);
    for (Listener listener : listeners) {
      try {
        listener.onNotice(notice);
      } catch (RuntimeException e) {
        LOG.log(
            Level.WARNING,
            "A listener failed to pass on a notice of run {0} ({1}). This notice is not sent again to it.",
            id,
            e.getMessage());
      }
    }
  }

  private @Nullable Whose whose(RunId id) {
    return context
        .ledger()
        .read(r -> r.run(id))
        .map(Run::spec)
        .map(spec -> new Whose(spec.author().group(), spec.worker()))
        .orElse(null);
  }

  private void sendDue() {
    Instant now = context.clock().instant();
    for (var due = gates.due(now); due.isPresent(); due = gates.due(now)) {
      tell(due.get().run(), Sign.PROGRESS, due.get().summary(), now);
      gates.sent(due.get(), now);
    }
  }

  private Optional<Duration> untilDue() {
    Instant now = context.clock().instant();
    return gates
        .next()
        .map(at -> Duration.between(now, at).plusMillis(1))
        .map(wait -> wait.isNegative() ? Duration.ofMillis(1) : wait);
  }
}
