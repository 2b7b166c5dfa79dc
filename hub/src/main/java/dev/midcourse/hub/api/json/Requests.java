package dev.midcourse.hub.api.json;

import dev.midcourse.core.FieldDoc;
import dev.midcourse.core.Problem;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerText;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The requests: the bodies and queries of HTTP, which MCP tools and mailboxes fill in too. */
public final class Requests {
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
  private static final Pattern NONCE = Pattern.compile("[A-Za-z0-9_-]{16,64}");
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}\\p{P}\\p{S} ]{1,80}");
  private static final Duration MAX_WAIT = Duration.ofMinutes(10);

  private Requests() {}

  /**
   * Refuses a timeout above {@link #MAX_WAIT}. Called when the request is read, before it has an
   * effect.
   */
  private static void bounded(Optional<Duration> timeout) {
    if (timeout.filter(asked -> asked.compareTo(MAX_WAIT) > 0).isPresent()) {
      throw Problem.invalid("timeout", "at most 10m", "timeout must be at most 10m").refused();
    }
  }

  public record RunRequest(
      @FieldDoc("what the agent is to do") String prompt,
      @FieldDoc("which agent; without it the configured one, else the first that is found")
          Optional<AgentName> agent,
      @FieldDoc("the lane that takes it; without it, any") Optional<WorkerName> worker,
      @FieldDoc("a name for the run; without it one is made of the prompt") Optional<RunId> runId,
      @FieldDoc("working directory, absolute; default: a new empty one") Optional<String> dir,
      @FieldDoc("which pending steers are delivered at once") Optional<PendingPolicy> pending,
      @FieldDoc("maximum number of attempts if the agent crashes") Optional<Integer> attempts,
      @FieldDoc(
              "how long the agent waits for the next message after a turn before the run ends: 10m;"
                  + " at most 24h; default: it does not wait")
          Optional<Duration> linger) {}

  /** Refuses a text that does not match the pattern. */
  private static void shaped(String field, String text, Pattern form, String rule) {
    if (!form.matcher(text).matches()) {
      throw Problem.invalid(field, rule, field + " must be " + rule).refused();
    }
  }

  public record SignIn(
      @FieldDoc("the single-use code of the link") String code,
      @FieldDoc("a new P-256 key of the browser: SubjectPublicKeyInfo in base64url")
          String publicKey,
      @FieldDoc("the address of the page: scheme, host and port") String origin,
      @FieldDoc("the name of the browser in lists, up to 80 characters") Optional<String> browser,
      @FieldDoc("keep the session for 30 days; default: false, for 24 hours")
          Optional<Boolean> stay) {
    public SignIn {
      origin = PageOrigin.of(origin).text();
      browser.ifPresent(name -> shaped("browser", name, NAME, "1 to 80 printable characters"));
    }
  }

  public record HubChallenge(
      @FieldDoc("16 to 64 random characters of base64url") String nonce,
      @FieldDoc("the address of the page") String origin) {
    public HubChallenge {
      shaped("nonce", nonce, NONCE, "16 to 64 characters of base64url");
      origin = PageOrigin.of(origin).text();
    }
  }

  public record TokenChallenge(@FieldDoc("16 to 64 random characters of base64url") String nonce) {
    public TokenChallenge {
      shaped("nonce", nonce, NONCE, "16 to 64 characters of base64url");
    }
  }

  public record PageProof(
      @FieldDoc("the nonce of the hub") String hubNonce,
      @FieldDoc("the signature of the session's key in base64url") String proof) {}

  public record SessionChange(
      @FieldDoc("30 days from now, also when the browser closes; else 24 hours") boolean stay) {}

  public record DiscardedCode(@FieldDoc("the code") String code) {}

  public record RunListQuery(
      @FieldDoc("only these states, with commas between") Optional<String> state,
      @FieldDoc("only this worker's") Optional<WorkerName> worker,
      @FieldDoc("only those before this run: the next of the page before")
          Optional<RunId> olderThan,
      @FieldDoc(
              "only runs that need attention: an answer, a review, no activity, or a failure of the"
                  + " last 24 hours")
          Optional<Boolean> needs,
      @FieldDoc("maximum number, up to 500") Optional<Integer> limit) {}

  /** The event that a request can wait for. */
  public enum Until {
    END
  }

  public record WaitForEnd(
      @FieldDoc(name = "wait", value = "hold the answer until the run has ended")
          Optional<Until> until,
      @FieldDoc("maximum time: 500ms, 30s, 5m; up to 10m") Optional<Duration> timeout) {
    public WaitForEnd {
      bounded(timeout);
    }

    public Duration maxWait() {
      return timeout.orElse(DEFAULT_TIMEOUT);
    }
  }

  public record Stop(
      @FieldDoc(name = "wait", value = "answer when no process of the run is alive")
          Optional<Boolean> waits) {}

  public record Restart(
      @FieldDoc("another prompt than before") Optional<String> prompt,
      @FieldDoc("in a new session instead of its own") Optional<Boolean> fresh) {}

  /** The verdict of a reviewer. */
  public enum Verdict {
    ACCEPT,
    REWORK
  }

  public record Review(
      @FieldDoc("whether it is good") Verdict verdict,
      @FieldDoc("a note, or what is to be reworked") Optional<String> text) {}

  /** The two files an agent writes to. */
  public enum Stream {
    OUT,
    ERR;

    public String fileName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public record OutputQuery(
      @FieldDoc("which of the two") Optional<Stream> stream,
      @FieldDoc("of which attempt; without it the newest") Optional<Integer> attempt,
      @FieldDoc("only the last so many bytes; the header Midcourse-Size says how many there are")
          Optional<Long> tail) {}

  public record WaitForRung(
      @FieldDoc(name = "wait", value = "hold the answer until this rung, or the steer's end")
          Optional<Rung> until,
      @FieldDoc("maximum time: 500ms, 30s, 5m; up to 10m") Optional<Duration> timeout) {
    public WaitForRung {
      bounded(timeout);
    }

    public Duration maxWait() {
      return timeout.orElse(DEFAULT_TIMEOUT);
    }
  }

  public record Withdrawal(@FieldDoc("why") Optional<String> reason) {}

  public record Edit(@FieldDoc("new text for the agent") SteerText text) {}

  public record Reply(
      @FieldDoc("a permission request: allow or deny (also yes, no); a question: words")
          String answer,
      @FieldDoc("the reason, for deny") Optional<String> why) {}

  public record EventPageQuery(
      @FieldDoc("only what came after this cursor") Optional<Long> after,
      @FieldDoc("maximum number, up to 1000") Optional<Integer> limit,
      @FieldDoc("the newest events, up to 1000; without after and limit") Optional<Integer> last) {

    public EventPageQuery {
      if (last.isPresent() && (after.isPresent() || limit.isPresent())) {
        throw Problem.invalid("last", "without after and limit", "last excludes after and limit")
            .refused();
      }
    }
  }

  public record EventStreamQuery(
      @FieldDoc("everything after this cursor; without it only what is new; 0 is everything")
          Optional<Long> after,
      @FieldDoc("only this run's") Optional<String> run,
      @FieldDoc("only these kinds, with commas between") Optional<String> kind) {}

  public record Prune(@FieldDoc("runs that ended longer ago than this: 30d") Duration olderThan) {}
}
