package dev.midcourse.core.authority;

import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.ScheduleId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Author;
import java.util.Optional;

/** A requested action, with the facts that decide whether the caller may do it. */
public sealed interface Action {

  /** See one run with its steers, turns, questions and log. */
  record See(RunId run, WorkerName worker) implements Action {
    public static See of(Run run) {
      return new See(run.id(), run.spec().worker());
    }
  }

  /** See everything: all runs, all events, the hub itself. */
  record SeeAll() implements Action {}

  /** List runs. The list has only the runs that {@link Authority#sight} allows the caller. */
  record ListRuns() implements Action {}

  /** Start a run of this worker by a dispatch under the contract. */
  record Dispatch(WorkerName worker) implements Action {}

  /**
   * Start a run of this worker by a plain prompt, without a contract.
   *
   * @param declared whether the settings declare this worker, so that it takes dispatches
   */
  record Start(WorkerName worker, boolean declared) implements Action {}

  /**
   * Control a run: steer, stop, restart or review it.
   *
   * @param how a verb: steer, stop, review
   */
  record Direct(RunId run, WorkerName worker, String how) implements Action {
    public static Direct of(Run run, String how) {
      return new Direct(run.id(), run.spec().worker(), how);
    }
  }

  /** Answer a question of a run's agent. */
  record Answer(RunId run, WorkerName worker) implements Action {}

  /** Let somebody talk to this worker: allow a sender, wire a chat. */
  record LetIn(WorkerName worker) implements Action {}

  /** Create a worker for a chat. */
  record CreateWorker() implements Action {}

  /**
   * Add a schedule for this worker.
   *
   * @param declared whether the settings declare this worker, so that it takes dispatches
   * @param check whether the schedule calls a program of its own on the machine of the hub
   * @param own the worker of the caller's own run, if the caller is an agent
   */
  record AddSchedule(WorkerName worker, boolean declared, boolean check, Optional<WorkerName> own)
      implements Action {}

  /** See the schedules of this worker. */
  record SeeSchedule(WorkerName worker, Optional<WorkerName> own) implements Action {}

  /**
   * Change, pause, cancel or run a schedule.
   *
   * @param createdBy the author of the schedule
   * @param check whether the change names a program to call
   */
  record ChangeSchedule(
      ScheduleId id, WorkerName worker, Author createdBy, boolean check, Optional<WorkerName> own)
      implements Action {}

  /**
   * Start an autopilot loop, which works in a folder of the hub's machine and may run a command.
   *
   * @param worker the worker in whose configured folder it works, if the caller names neither
   *     folder nor command
   */
  record StartLoop(Optional<WorkerName> worker) implements Action {}

  /** See a loop. */
  record SeeLoop(LoopId loop, WorkerName worker) implements Action {}

  /**
   * Control a loop: steer, stop, review or land it.
   *
   * @param how a verb: steer, stop, land
   */
  record DirectLoop(LoopId loop, WorkerName worker, String how) implements Action {}

  /** See people, chats, wirings, and the messages in both directions. */
  record SeeChats() implements Action {}

  /**
   * Change people and the accounts that belong to them. An account has the rights of its person.
   *
   * @param how a verb and its object
   */
  record ManagePeople(String how) implements Action {}

  /** Grant this role, or take it back; for one worker or for all. */
  record Grant(PersonRole role, Optional<WorkerName> worker) implements Action {}

  /**
   * Change chats, and decide what becomes of messages that were not sent.
   *
   * @param how a verb and its object
   */
  record ManageChats(String how) implements Action {}

  /**
   * Write in the chat of a run as its agent: send a message or a file, edit, react, ask.
   *
   * @param inChat whether the run belongs to a conversation
   */
  record Converse(RunId run, boolean inChat) implements Action {}

  /** Send a message to a group. */
  record Tell(GroupName to) implements Action {}

  /** Act in the name of this group. */
  record SpeakAs(GroupName group) implements Action {}

  /**
   * Operate the hub: end it, delete old runs.
   *
   * @param how a verb and its object
   */
  record Keep(String how) implements Action {}

  /** Returns the text that completes "may not". */
  default String description() {
    return switch (this) {
      case See it -> "see run " + it.run();
      case SeeAll _, ListRuns _ -> "see other runs";
      case Dispatch it -> "start a run of " + it.worker();
      case Start it -> "start a run of " + it.worker() + " without a dispatch";
      case Direct it -> it.how() + " run " + it.run();
      case Answer it -> "answer for run " + it.run();
      case LetIn it -> "decide who talks to " + it.worker();
      case CreateWorker _ -> "create a worker";
      case AddSchedule it ->
          "schedule a task of " + it.worker() + (it.check() ? " with a check" : "");
      case SeeSchedule it -> "see schedules of " + it.worker();
      case ChangeSchedule it ->
          "change schedule " + it.id() + (it.check() ? " to one with a check" : "");
      case StartLoop _ -> "start an autopilot loop";
      case SeeLoop it -> "see loop " + it.loop();
      case DirectLoop it -> it.how() + " loop " + it.loop();
      case SeeChats _ -> "see chats and people";
      case ManagePeople it -> it.how();
      case Grant it ->
          "grant or revoke the role "
              + it.role().wire()
              + it.worker().map(worker -> " of " + worker).orElse(" of all workers");
      case ManageChats it -> it.how();
      case Converse it ->
          it.inChat()
              ? "write in the chat of run " + it.run()
              : "write in a chat, because run " + it.run() + " belongs to no conversation";
      case Tell it -> "send a message to " + it.to();
      case SpeakAs it -> "act as " + it.group();
      case Keep it -> it.how();
    };
  }

  /** Returns the run that the action concerns, if there is one. */
  default Optional<RunId> about() {
    return switch (this) {
      case See it -> Optional.of(it.run());
      case Direct it -> Optional.of(it.run());
      case Answer it -> Optional.of(it.run());
      case Converse it -> Optional.of(it.run());
      case SeeAll _,
          ListRuns _,
          Dispatch _,
          Start _,
          LetIn _,
          CreateWorker _,
          AddSchedule _,
          SeeSchedule _,
          ChangeSchedule _,
          StartLoop _,
          SeeLoop _,
          DirectLoop _,
          SeeChats _,
          ManagePeople _,
          Grant _,
          ManageChats _,
          Tell _,
          SpeakAs _,
          Keep _ ->
          Optional.empty();
    };
  }
}
