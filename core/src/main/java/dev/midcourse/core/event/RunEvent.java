package dev.midcourse.core.event;

import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An event of one run, as the log stores it. {@link EventKind} gives the name of its kind; its
 * components are the fields of its JSON object.
 */
public sealed interface RunEvent {

  record RunQueued(String prompt, AgentName agent, WorkerName worker, Author author)
      implements RunEvent {}

  record RunPicked(int attempt, String host) implements RunEvent {}

  record RunRestarted(String prompt, boolean fresh, Author author) implements RunEvent {}

  record AgentStarted(int attempt, String version, long pid) implements RunEvent {}

  /** A hub found a live agent that an earlier hub had started. */
  record AgentFound(int attempt, long pid, String host) implements RunEvent {}

  record SessionNamed(int attempt, SessionId session) implements RunEvent {}

  record TurnStarted(int attempt, int turn) implements RunEvent {}

  record Said(int attempt, String text) implements RunEvent {}

  record ToolStarted(
      int attempt, String call, String tool, String summary, Optional<Duration> declaredTimeout)
      implements RunEvent {}

  record ToolFinished(int attempt, String call, boolean ok, String summary) implements RunEvent {}

  record Progressed(int attempt, String phase, String summary, Optional<String> tool, long seq)
      implements RunEvent {}

  /**
   * A turn ended.
   *
   * @param answer the answer of a turn that completed; empty for any other end, and in logs of
   *     earlier versions
   */
  record TurnEnded(int attempt, int turn, TurnEnd how, String reason, Optional<String> answer)
      implements RunEvent {}

  /**
   * The agent waits for the next message.
   *
   * @param until when the run ends if none comes
   */
  record Idle(int attempt, int turn, Instant until) implements RunEvent {}

  /** A turn was opened after an idle time. An idle run that ends has only the event of its end. */
  record IdleOver(int attempt) implements RunEvent {}

  /** An event about one steer of the run. */
  sealed interface SteerEvent extends RunEvent {
    SteerId steer();

    long seq();
  }

  record SteerStored(SteerId steer, long seq, SteerMode mode, Author author, String text)
      implements SteerEvent {}

  record SteerRaised(SteerId steer, long seq, Rung rung, int attempt, String evidence)
      implements SteerEvent {}

  /** The steer returned to the queue. */
  record SteerReturned(SteerId steer, long seq, String reason) implements SteerEvent {}

  record SteerCarried(SteerId steer, long seq, String carriedTo) implements SteerEvent {}

  record SteerEdited(SteerId steer, long seq, String text) implements SteerEvent {}

  record SteerPromoted(SteerId steer, long seq) implements SteerEvent {}

  record SteerEnded(SteerId steer, long seq, SteerEnd ended, String reason) implements SteerEvent {}

  record Interrupting(int attempt, int turn, Optional<SteerId> cause) implements RunEvent {}

  record Used(int attempt, Usage more) implements RunEvent {}

  record Asked(int attempt, String ask, AskKind askKind, String question, String detail)
      implements RunEvent {}

  record AskAnswered(int attempt, String ask, String answer, Author by) implements RunEvent {}

  record AskClosed(int attempt, String ask, String how) implements RunEvent {}

  record Waiting(int attempt, String reason) implements RunEvent {}

  record Garbage(int attempt, String excerpt, long bytes) implements RunEvent {}

  record Quiet(int attempt, String reason) implements RunEvent {}

  record QuietOver(int attempt) implements RunEvent {}

  /** A person dismissed the alarm about the run: no activity, or a failure. */
  record AlarmDismissed(String needs, Author author) implements RunEvent {}

  record AttemptLost(int attempt, String reason, Optional<Instant> nextTryAt, boolean sessionKept)
      implements RunEvent {}

  record StopAsked(Author author) implements RunEvent {}

  /** A limit of the settings delays the start of the run or ends it. */
  record LimitReached(String limit, String reason) implements RunEvent {}

  record RunEnded(int attempt, RunState state, String result, int processesEnded)
      implements RunEvent {}

  record RunReviewed(String verdict, String note, Author author) implements RunEvent {}

  /** The completion of the worker is valid and agrees with its checkout. */
  record CompletionAccepted(
      int attempt,
      String branch,
      Optional<String> commitSha,
      List<String> filesChanged,
      String testResult,
      String risk,
      Optional<String> prUrl,
      Optional<String> prSkippedReason)
      implements RunEvent {}

  /**
   * The completion of the worker is not valid.
   *
   * @param lastChance whether the run ends with this completion: the worker has had its repair
   *     turn, or the run was stopped or has reached a limit; otherwise the worker is asked for a
   *     correction
   */
  record CompletionRejected(int attempt, List<String> missing, boolean lastChance)
      implements RunEvent {}

  /**
   * A caller was refused for lack of permission.
   *
   * @param times the number of refusals since the last such event, if it is more than one
   */
  record Denied(Author author, String what, String why, Optional<Integer> times)
      implements RunEvent {}

  /** An autopilot loop has gone on; the entry has the id of the loop in place of a run. */
  record LoopMoved(LoopPhase phase, String text) implements RunEvent {}

  /** A note without a kind of its own. */
  record Noted(String text) implements RunEvent {}

  /** An event that a newer version wrote and this one cannot read. It is never appended. */
  record Unknown(String kind, String json) implements RunEvent {}

  /** Every kind of event that this version writes. */
  static List<Class<? extends RunEvent>> kinds() {
    return Stream.of(RunEvent.class, SteerEvent.class)
        .flatMap(type -> Stream.of(type.getPermittedSubclasses()))
        .filter(type -> type.isRecord() && type != Unknown.class)
        .<Class<? extends RunEvent>>map(type -> type.asSubclass(RunEvent.class))
        .toList();
  }
}
