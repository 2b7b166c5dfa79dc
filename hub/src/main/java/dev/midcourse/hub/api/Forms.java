package dev.midcourse.hub.api;

import dev.midcourse.core.Problem;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.Key;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.steer.Mode;
import dev.midcourse.core.steer.OnUnsupported;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.hub.http.Doc;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** The requests: the bodies and queries of HTTP, which MCP tools and mailboxes fill in too. */
public final class Forms {
  static final Duration USUAL_PATIENCE = Duration.ofSeconds(30);
  private static final Duration LONGEST_PATIENCE = Duration.ofMinutes(10);

  private Forms() {}

  /** Refuses to hold a request for too long, when it is read: before anything of it is done. */
  private static void bounded(Optional<Duration> patience) {
    if (patience.filter(asked -> asked.compareTo(LONGEST_PATIENCE) > 0).isPresent()) {
      throw Problem.invalid("timeout", "at most 10m", "timeout must be at most 10m").refused();
    }
  }

  record RunWish(
      @Doc("what the agent is to do") String prompt,
      @Doc("which agent; without it the configured one, else the first that is found")
          Optional<AgentName> agent,
      @Doc("the lane that takes it; without it, any") Optional<WorkerName> worker,
      @Doc("a name for the run; without it one is made of the prompt") Optional<RunId> runId,
      @Doc("the folder to work in, absolute; without it a fresh one") Optional<String> dir,
      @Doc("what becomes of several steers that wait for the same boundary")
          Optional<PendingPolicy> pending,
      @Doc("how many times it is tried when its agent dies") Optional<Integer> attempts) {}

  record Listing(
      @Doc("only these states, with commas between") Optional<String> state,
      @Doc("only this worker's") Optional<WorkerName> worker,
      @Doc("only those before this run: the next of the page before") Optional<RunId> olderThan,
      @Doc("at most so many, up to 500") Optional<Integer> limit) {}

  /** What can be waited for. */
  enum Until {
    END
  }

  record WaitForEnd(
      @Doc(name = "wait", value = "hold the answer until the run has ended") Optional<Until> until,
      @Doc("at most so long: 500ms, 30s, 5m; up to 10m") Optional<Duration> timeout) {
    WaitForEnd {
      bounded(timeout);
    }

    Duration patience() {
      return timeout.orElse(USUAL_PATIENCE);
    }
  }

  record Stop(
      @Doc(name = "wait", value = "answer when no process of the run is alive")
          Optional<Boolean> waits) {}

  record Restart(
      @Doc("another prompt than before") Optional<String> prompt,
      @Doc("in a new conversation instead of its own") Optional<Boolean> fresh) {}

  /** The verdict of a reviewer. */
  public enum Verdict {
    ACCEPT,
    REWORK
  }

  public record Review(
      @Doc("whether it is good") Verdict verdict,
      @Doc("a note, or what is to be reworked") Optional<String> text) {}

  /** The two files an agent writes to. */
  enum Stream {
    OUT,
    ERR;

    String fileName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  record Lines(
      @Doc("which of the two") Optional<Stream> stream,
      @Doc("of which attempt; without it the newest") Optional<Integer> attempt,
      @Doc("only the last so many bytes; the header Midcourse-Size says how many there are")
          Optional<Long> tail) {}

  public record SteerWish(
      @Doc("what to tell the agent, up to 64 KiB") SteerText text,
      @Doc("when and how it is told") Optional<Mode> mode,
      @Doc("makes a repeated request the same request") Optional<Key> key,
      @Doc("refuse when another turn runs than this") Optional<Integer> expectedTurn,
      @Doc("forget it when it could not be told within this time: 30s, 5m, 2h")
          Optional<Duration> ttl,
      @Doc("what to do when the agent cannot do the mode") Optional<OnUnsupported> onUnsupported,
      @Doc("the steer that this one replaces, or the beginning of its id")
          Optional<String> supersedes) {

    /** A steer without conditions. */
    public static SteerWish of(SteerText text, Optional<Mode> mode, Optional<Key> key) {
      return new SteerWish(
          text, mode, key, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }
  }

  record WaitForRung(
      @Doc(name = "wait", value = "hold the answer until this rung, or the steer's end")
          Optional<Rung> until,
      @Doc("at most so long: 500ms, 30s, 5m; up to 10m") Optional<Duration> timeout) {
    WaitForRung {
      bounded(timeout);
    }

    Duration patience() {
      return timeout.orElse(USUAL_PATIENCE);
    }
  }

  record Withdrawal(@Doc("why") Optional<String> reason) {}

  record Edit(@Doc("what to tell the agent instead") SteerText text) {}

  record Reply(
      @Doc("allow, deny, or the answer in words") String answer,
      @Doc("the reason, for deny") Optional<String> why) {}

  record Stretch(
      @Doc("only what came after this cursor") Optional<Long> after,
      @Doc("at most so many, up to 1000") Optional<Integer> limit) {}

  record Listening(
      @Doc("everything after this cursor; without it only what is new; 0 is everything")
          Optional<Long> after,
      @Doc("only this run's") Optional<String> run,
      @Doc("only these kinds, with commas between") Optional<String> kind) {}

  record Prune(@Doc("runs that ended longer ago than this: 30d") Duration olderThan) {}
}
