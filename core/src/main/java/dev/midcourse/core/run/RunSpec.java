package dev.midcourse.core.run;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.Utf8;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import java.time.Duration;
import java.util.Optional;

/**
 * The order for a run: its prompt, agent, worker and folder. It does not change while the run is
 * live.
 *
 * @param workspace the folder of the agent, as a path on its host
 * @param session the session to continue
 * @param parent the run that this one follows
 * @param dispatch the text of the dispatch, if the run has one
 * @param linger how long the agent waits for the next message after a turn before the run ends;
 *     without it the run ends with its last turn
 */
public record RunSpec(
    String prompt,
    AgentName agent,
    WorkerName worker,
    String workspace,
    Author author,
    PendingPolicy pending,
    int maxAttempts,
    Optional<SessionId> session,
    Optional<RunId> parent,
    Optional<String> dispatch,
    Optional<Duration> linger) {

  public static final int MAX_PROMPT_BYTES = 1024 * 1024;
  public static final int DEFAULT_ATTEMPTS = 5;
  public static final Duration MAX_LINGER = Duration.ofDays(1);

  public RunSpec {
    if (prompt.isBlank()) {
      throw Problem.invalid("prompt", "not blank", "the prompt is blank").refused();
    }
    if (Utf8.longerThan(prompt, MAX_PROMPT_BYTES)) {
      throw Problem.of(Code.TOO_LARGE, "prompt", "at most 1 MiB", "the prompt is over 1 MiB")
          .refused();
    }
    if (prompt.indexOf('\0') >= 0 || !Utf8.isWhole(prompt)) {
      throw Problem.invalid("prompt", "valid Unicode without NUL", "the prompt is not plain text")
          .refused();
    }
    if (workspace.isBlank() || workspace.indexOf('\0') >= 0) {
      throw Problem.invalid("dir", "a directory", "the workspace is not the name of a directory")
          .refused();
    }
    if (maxAttempts < 1 || maxAttempts > 100) {
      throw Problem.invalid("attempts", "1 to 100", "attempts must be from 1 to 100").refused();
    }
    if (linger.filter(it -> !it.isPositive() || it.compareTo(MAX_LINGER) > 0).isPresent()) {
      throw Problem.invalid(
              "linger", "more than 0 and at most 24h", "linger must be more than 0 and at most 24h")
          .refused();
    }
  }

  /** A run that ends with its last turn. */
  public RunSpec(
      String prompt,
      AgentName agent,
      WorkerName worker,
      String workspace,
      Author author,
      PendingPolicy pending,
      int maxAttempts,
      Optional<SessionId> session,
      Optional<RunId> parent,
      Optional<String> dispatch) {
    this(
        prompt,
        agent,
        worker,
        workspace,
        author,
        pending,
        maxAttempts,
        session,
        parent,
        dispatch,
        Optional.empty());
  }

  /**
   * The order for a run that continues a finished one: same agent, worker and folder, in the same
   * session if the agent can resume it. Otherwise the prompt says that the conversation is missing.
   *
   * @param canResume whether the agent of the finished run can continue a session in a new process
   * @throws dev.midcourse.core.RefusedException if the run has not finished
   */
  public static RunSpec continuing(Run finished, boolean canResume, String prompt, Author author) {
    if (finished.state().live()) {
      throw Problem.invalid(
              "run_id",
              "a run that has ended",
              "run %s is %s; steer it instead".formatted(finished.id(), finished.state().wire()))
          .refused();
    }
    Optional<SessionId> session = finished.session().filter(_ -> canResume);
    RunSpec old = finished.spec();
    return new RunSpec(
        session.isPresent() ? prompt : promptWithoutSession(finished.id(), prompt),
        old.agent(),
        old.worker(),
        old.workspace(),
        author,
        old.pending(),
        old.maxAttempts(),
        session,
        Optional.of(finished.id()),
        Optional.empty(),
        old.linger());
  }

  /** The prompt of a run whose agent does not have the conversation that it was to continue. */
  public static String promptWithoutSession(RunId finished, String prompt) {
    return "The conversation of run %s cannot be resumed, so you do not have it.\n\n%s"
        .formatted(finished, prompt);
  }

  public RunSpec withLinger(Optional<Duration> duration) {
    return new RunSpec(
        prompt,
        agent,
        worker,
        workspace,
        author,
        pending,
        maxAttempts,
        session,
        parent,
        dispatch,
        duration);
  }
}
