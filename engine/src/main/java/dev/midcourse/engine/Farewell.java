package dev.midcourse.engine;

import dev.midcourse.agents.Agent;
import dev.midcourse.core.Wire;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Limits;
import dev.midcourse.core.run.Outcome;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerChange;
import dev.midcourse.core.steer.SteeringPlan;
import dev.midcourse.core.steer.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The ways an attempt ends. A run ends only in a transaction that finds no open steer or gives each
 * open one its end, and is called stopped only when nothing of it is alive.
 */
final class Farewell {
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);

  /** So many attempts in a row must have been lost before a session that is refused is given up. */
  private static final int TRIES_OF_A_SESSION = 3;

  private final Desk desk;
  private final Hearing hearing;
  private final Wishes wishes;
  private final Agent agent;
  private final Slot slot;
  private final EngineSettings settings;
  private final Contract contract;
  private final Recall recall;

  Farewell(
      Desk desk,
      Hearing hearing,
      Wishes wishes,
      Agent agent,
      Slot slot,
      EngineSettings settings,
      Contract contract,
      Recall recall) {
    this.desk = desk;
    this.hearing = hearing;
    this.wishes = wishes;
    this.agent = agent;
    this.slot = slot;
    this.settings = settings;
    this.contract = contract;
    this.recall = recall;
  }

  /** The turn has settled and nothing follows: ends the run, unless a steer came in between. */
  boolean finished() {
    Outcome outcome = outcome();
    if (outcome.state() == RunState.FAILED) {
      closeConversation("the turn ended in an error");
    }
    boolean over =
        desk.finish((tx, row) -> {
          List<Steer> open = tx.openSteers(row.id());
          if (!SteeringPlan.nothingKeepsItOpen(open)) {
            return Optional.of(open);
          }
          contract.record(tx);
          RunEnds.end(
              tx, row, outcome, 0, "the run ended; there is no next call for it", desk.now());
          return Optional.empty();
        });
    if (over) {
      agent.end(settings.grace());
      desk.closeAttempt("the run ended: " + outcome.state().wire());
    }
    return over;
  }

  /** Ends everything that belongs to the run, then says that it is stopped. */
  void stopped() throws InterruptedException {
    Agent.Ended ended = agent.end(settings.grace());
    hearLastWords();
    settleTransit(remains(Optional.empty()));
    closeConversation("the run was stopped in its turn");
    String evidence = "stopped; " + ended.processes() + " processes ended, none is left";
    desk.finish((tx, row) -> {
      RunEnds.end(
          tx,
          row,
          new Outcome(RunState.STOPPED, evidence),
          ended.processes(),
          "the run was stopped before it was delivered",
          desk.now());
      return Optional.empty();
    });
    desk.closeAttempt("stopped");
  }

  /** The run came to a limit: ends it, unless it was done before that took hold. */
  void limited(Limits.Reached reached) throws InterruptedException {
    Agent.Ended ended = agent.end(settings.grace());
    hearLastWords();
    if (finishedFirst() && !contract.repairDue() && finished()) {
      return;
    }
    settleTransit(remains(Optional.empty()));
    desk.note(new RunEvent.LimitReached(Wire.name(reached.limit()), reached.reason()));
    fail(new Outcome(state(reached.limit()), reached.reason()), ended.processes());
  }

  private static RunState state(Limits.Limit limit) {
    return switch (limit) {
      case TIME -> RunState.FAILED_TIMEOUT;
      case TOKENS, COST -> RunState.FAILED;
    };
  }

  /**
   * The agent is gone or given up: tries again later, or fails the run, after too many tries or
   * where a try can only end the same way.
   */
  void lost(String reason) throws InterruptedException {
    boolean byItself = hearing.exited().filter(AgentEvent.Exited::byItself).isPresent();
    boolean hopeless = hearing.exited().filter(AgentEvent.Exited::untilMended).isPresent();
    Agent.Ended ended = agent.end(settings.grace());
    hearLastWords();
    boolean finishedFirst = finishedFirst();
    if (finishedFirst && !contract.repairDue() && finished()) {
      return;
    }
    boolean resumable = resumable(byItself);
    Remains remains = remains(turn());
    Run run = desk.run();
    boolean last = hopeless || run.failures() + 1 >= run.spec().mostAttempts();
    if (resumable || last) {
      settleTransit(remains);
    } else {
      forgetConversation();
    }
    if (last) {
      String why = hopeless ? reason : reason + " (" + (run.failures() + 1) + " attempts in a row)";
      fail(new Outcome(RunState.FAILED, why), ended.processes());
      return;
    }
    Instant now = desk.now();
    Duration pause =
        finishedFirst ? Duration.ZERO : settings.retry().pauseAfter(run.failures() + 1);
    desk.note(
        new RunEvent.AttemptLost(
            desk.number(),
            reason,
            pause.isZero() ? Optional.empty() : Optional.of(now.plus(pause)),
            resumable));
    desk.change(desk.attempt().ended(now, reason));
    boolean promptLost = remains.lacksTheTask(turn().filter(TurnRecord::taken).isPresent());
    desk.change(
        new RunChange.AttemptLost(desk.number(), pause, !resumable, promptLost, reason, now));
    desk.handInAndWait();
  }

  /**
   * A session is kept unless the agent cannot resume, or refuses this one again and again. An agent
   * that was killed, or never got so far as to start, has refused nothing: to give up its session
   * would put every steer it holds into a second conversation.
   */
  private boolean resumable(boolean byItself) {
    boolean refused =
        byItself
            && desk.attempt().resumes()
            && !hearing.started()
            && desk.run().failures() + 1 >= TRIES_OF_A_SESSION;
    return hearing.can().has(Capability.RESUME) && desk.run().session().isPresent() && !refused;
  }

  private void fail(Outcome outcome, int processes) {
    closeConversation("the run failed in its turn");
    desk.finish((tx, row) -> {
      RunEnds.end(
          tx, row, outcome, processes, "the run failed before it was delivered", desk.now());
      return Optional.empty();
    });
    desk.closeAttempt(outcome.summary());
  }

  /** Its last words may have been that it was done. */
  private boolean finishedFirst() {
    return hearing.turn() instanceof Turn.Settled && completed();
  }

  private boolean completed() {
    return turn().filter(TurnRecord::completed).isPresent();
  }

  private Optional<TurnRecord> turn() {
    return desk.turn().filter(record -> record.attempt() == desk.number());
  }

  private Outcome outcome() {
    String answer = turn().flatMap(TurnRecord::answer).orElse("");
    if (completed()) {
      return contract.outcome(answer);
    }
    Optional<TurnEnd> how = turn().flatMap(TurnRecord::how);
    String why =
        how.equals(Optional.of(TurnEnd.INTERRUPTED))
            ? "the turn was interrupted and nothing followed"
            : "the turn ended in an error: " + answer;
    return new Outcome(RunState.FAILED, why);
  }

  /**
   * Reads to the end what the agent wrote before it died: evidence is not thrown away. Who wants
   * something meanwhile is answered when the attempt is over, by what the ledger then says.
   */
  private void hearLastWords() throws InterruptedException {
    List<Letter> later = new ArrayList<>();
    Instant deadline = desk.now().plus(LAST_WORDS);
    while (hearing.exited().isEmpty() && desk.now().isBefore(deadline)) {
      for (Letter letter : slot.take(Optional.of(Duration.between(desk.now(), deadline)))) {
        switch (letter) {
          case Letter.FromAgent(int attempt, var heard) -> {
            if (attempt == desk.number()) {
              hearing.hear(heard);
            }
          }
          case Letter.Stored(Steer steer) -> desk.take(steer);
          case Letter.SteerTold(SteerId steer) -> desk.takeIfUnknown(steer);
          case Letter.About _, Letter.Reply _ -> later.add(letter);
          case Letter.Stop(),
              Letter.StopTold(),
              Letter.Leave(),
              Letter.Look(),
              Letter.NotKept _ -> {}
        }
      }
    }
    wishes.settle();
    later.forEach(slot::put);
  }

  private void closeConversation(String evidence) {
    desk.openSteers().stream()
        .filter(Steer::inConversation)
        .forEach(
            s -> desk.change(s, new SteerChange.Answered(desk.number(), desk.now(), evidence)));
  }

  /** Of a run that ends nobody asks whether its task got there. */
  private Remains remains(Optional<TurnRecord> resumed) {
    return Remains.of(desk.run(), resumed, desk.inTransit(), recall);
  }

  /**
   * What the agent held without showing it: in the conversation if its record has it, ours again
   * where it certainly has not, else unknown.
   */
  private void settleTransit(Remains remains) {
    int attempt = desk.number();
    Instant now = desk.now();
    for (Steer steer : desk.inTransit()) {
      if (remains.has(steer.id())) {
        String evidence = "in the record of the session, read after the agent died";
        desk.change(steer, new SteerChange.Injected(attempt, now, evidence));
      } else if (remains.known()) {
        String why = "the agent died and the record of its session does not have it";
        desk.change(steer, new SteerChange.Returned(attempt, now, why));
      } else if (hearing.can().has(Capability.IGNORES_REPEATED_ID)) {
        String why = "the agent died without having shown it";
        desk.change(steer, new SteerChange.Returned(attempt, now, why));
      } else {
        String why = "the agent died without having shown it, and left no record that can be read";
        desk.change(steer, new SteerChange.LostTrack(attempt, now, why));
      }
    }
  }

  /** What it had and what it held: the next conversation begins with the task and gets it all. */
  private void forgetConversation() {
    String why = "the conversation that had it is gone with the agent";
    for (Steer steer : desk.openSteers()) {
      if (steer.inConversation()) {
        desk.change(steer, new SteerChange.Forgotten(steer.holder(), desk.now(), why));
      } else if (steer.inTransit()) {
        desk.change(steer, new SteerChange.Returned(desk.number(), desk.now(), why));
      }
    }
  }
}
