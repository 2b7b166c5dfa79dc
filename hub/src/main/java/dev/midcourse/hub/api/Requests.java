package dev.midcourse.hub.api;

import dev.midcourse.core.Problem;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.steer.OnUnsupported;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.hub.http.route.RouteDoc;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** The requests: the bodies and queries of HTTP, which MCP tools and mailboxes fill in too. */
public final class Requests {
  static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration MAX_PATIENCE = Duration.ofMinutes(10);

  private Requests() {}

  /** Refuses to hold a request for too long, when it is read: before anything of it is done. */
  private static void bounded(Optional<Duration> patience) {
    if (patience.filter(asked -> asked.compareTo(MAX_PATIENCE) > 0).isPresent()) {
      throw Problem.invalid("timeout", "at most 10m", "timeout must be at most 10m").refused();
    }
  }

  public record RunRequest(
      @RouteDoc("what the agent is to do") String prompt,
      @RouteDoc("which agent; without it the configured one, else the first that is found")
          Optional<AgentName> agent,
      @RouteDoc("the lane that takes it; without it, any") Optional<WorkerName> worker,
      @RouteDoc("a name for the run; without it one is made of the prompt") Optional<RunId> runId,
      @RouteDoc("working directory, absolute; default: a new empty one") Optional<String> dir,
      @RouteDoc("which pending steers are delivered at once") Optional<PendingPolicy> pending,
      @RouteDoc("maximum number of attempts if the agent crashes") Optional<Integer> attempts) {}

  record Listing(
      @RouteDoc("only these states, with commas between") Optional<String> state,
      @RouteDoc("only this worker's") Optional<WorkerName> worker,
      @RouteDoc("only those before this run: the next of the page before")
          Optional<RunId> olderThan,
      @RouteDoc("maximum number, up to 500") Optional<Integer> limit) {}

  /** The event that a request can wait for. */
  enum Until {
    END
  }

  record WaitForEnd(
      @RouteDoc(name = "wait", value = "hold the answer until the run has ended")
          Optional<Until> until,
      @RouteDoc("maximum time: 500ms, 30s, 5m; up to 10m") Optional<Duration> timeout) {
    WaitForEnd {
      bounded(timeout);
    }

    Duration patience() {
      return timeout.orElse(DEFAULT_TIMEOUT);
    }
  }

  record Stop(
      @RouteDoc(name = "wait", value = "answer when no process of the run is alive")
          Optional<Boolean> waits) {}

  public record Restart(
      @RouteDoc("another prompt than before") Optional<String> prompt,
      @RouteDoc("in a new conversation instead of its own") Optional<Boolean> fresh) {}

  /** The verdict of a reviewer. */
  public enum Verdict {
    ACCEPT,
    REWORK
  }

  public record Review(
      @RouteDoc("whether it is good") Verdict verdict,
      @RouteDoc("a note, or what is to be reworked") Optional<String> text) {}

  /** The two files an agent writes to. */
  enum Stream {
    OUT,
    ERR;

    String fileName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  record Lines(
      @RouteDoc("which of the two") Optional<Stream> stream,
      @RouteDoc("of which attempt; without it the newest") Optional<Integer> attempt,
      @RouteDoc("only the last so many bytes; the header Midcourse-Size says how many there are")
          Optional<Long> tail) {}

  public record SteerBody(
      @RouteDoc("text for the agent, up to 64 KiB") SteerText text,
      @RouteDoc("delivery mode") Optional<SteerMode> mode,
      @RouteDoc("idempotency key") Optional<IdempotencyKey> key,
      @RouteDoc("refuse if another turn than this is running") Optional<Integer> expectedTurn,
      @RouteDoc("expire if not delivered within this time: 30s, 5m, 2h") Optional<Duration> ttl,
      @RouteDoc("what to do if the agent does not support the mode")
          Optional<OnUnsupported> onUnsupported,
      @RouteDoc("the steer that this one replaces, or the beginning of its id")
          Optional<String> supersedes) {

    /** A steer without conditions. */
    public static SteerBody of(
        SteerText text, Optional<SteerMode> mode, Optional<IdempotencyKey> key) {
      return new SteerBody(
          text, mode, key, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }
  }

  record WaitForRung(
      @RouteDoc(name = "wait", value = "hold the answer until this rung, or the steer's end")
          Optional<Rung> until,
      @RouteDoc("maximum time: 500ms, 30s, 5m; up to 10m") Optional<Duration> timeout) {
    WaitForRung {
      bounded(timeout);
    }

    Duration patience() {
      return timeout.orElse(DEFAULT_TIMEOUT);
    }
  }

  record Withdrawal(@RouteDoc("why") Optional<String> reason) {}

  public record Edit(@RouteDoc("new text for the agent") SteerText text) {}

  record Reply(
      @RouteDoc("allow, deny, or the answer in words") String answer,
      @RouteDoc("the reason, for deny") Optional<String> why) {}

  record Stretch(
      @RouteDoc("only what came after this cursor") Optional<Long> after,
      @RouteDoc("maximum number, up to 1000") Optional<Integer> limit) {}

  record Listening(
      @RouteDoc("everything after this cursor; without it only what is new; 0 is everything")
          Optional<Long> after,
      @RouteDoc("only this run's") Optional<String> run,
      @RouteDoc("only these kinds, with commas between") Optional<String> kind) {}

  record Prune(@RouteDoc("runs that ended longer ago than this: 30d") Duration olderThan) {}
}
