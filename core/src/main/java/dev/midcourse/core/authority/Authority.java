package dev.midcourse.core.authority;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import java.util.List;
import java.util.Optional;

/**
 * Decides which caller may do which action. All decisions are made here. Main may do everything. A
 * lead directs its workers. An observer sees all runs. A member directs only the worker of its own
 * name. A person in a chat has the rights of its roles: an owner may do everything but operate the
 * hub, an admin directs its workers and decides who talks to them, a member directs its workers. A
 * process of a run's agent may see that run, write in the chat to which the run belongs, and
 * schedule tasks for its own worker and change those. Only main may name a program that the hub
 * itself calls. All other callers are refused. A declared worker accepts runs only by dispatch,
 * except from main.
 */
public final class Authority {
  private static final String CONVERSE_RULE =
      "the agent of a run that belongs to a conversation, for that run only";

  private Authority() {}

  /** Returns the reason why the caller may not do the action, or empty if the caller may do it. */
  public static Optional<Problem> objection(Caller caller, Action action) {
    return switch (caller) {
      case Caller.Main _ -> Optional.empty();
      case Caller.Worker worker ->
          sees(worker, action)
              ? Optional.empty()
              : Optional.of(
                  refusal(
                      rule(action),
                      "a process of run " + worker.run() + " may not " + action.description()));
      case Caller.Member member ->
          may(member, action)
              ? Optional.empty()
              : Optional.of(
                  refusal(
                      rule(member.group(), action),
                      member.group().role().wire()
                          + " "
                          + member.group().name()
                          + " may not "
                          + action.description()));
      case Caller.Person person ->
          PersonAuthority.may(person.roles(), action)
              ? Optional.empty()
              : Optional.of(
                  refusal(
                      PersonAuthority.RULE,
                      person.author().origin() + " may not " + action.description()));
      case Caller.Unauthenticated(String why) ->
          Optional.of(refusal("a person, or the token", why + ": may not " + action.description()));
    };
  }

  /**
   * Returns the refusal of an action on a run or steer that the caller cannot see. It is the same
   * whether that exists or not, and names it only as the caller did.
   *
   * @param field the field with the id
   * @param what a verb, and the run or steer in the caller's words
   */
  public static Problem unknown(Caller caller, String field, String what) {
    String text = " may not " + what + ", or it does not exist";
    Problem refusal =
        switch (caller) {
          case Caller.Main main -> refusal("everything", main.author().group() + text);
          case Caller.Worker worker ->
              refusal(
                  "an agent may see only its own run", "a process of run " + worker.run() + text);
          case Caller.Member member ->
              refusal(
                  rule(member.group()),
                  member.group().role().wire() + " " + member.group().name() + text);
          case Caller.Person person ->
              refusal(PersonAuthority.RULE, person.author().origin() + text);
          case Caller.Unauthenticated(String why) ->
              refusal("a person, or the token", why + ": may not " + what);
        };
    return Problem.of(refusal.code(), field, refusal.rule(), refusal.message());
  }

  /**
   * Returns the runs that the caller may see: exactly the runs to which {@link Action.See} has no
   * objection.
   */
  public static VisibleRuns sight(Caller caller) {
    return switch (caller) {
      case Caller.Main _ -> new VisibleRuns.Everything();
      case Caller.Worker worker -> new VisibleRuns.Only(List.of(), Optional.of(worker.run()));
      case Caller.Member member ->
          switch (member.group().role()) {
            case MAIN, OBSERVER -> new VisibleRuns.Everything();
            case LEAD, WORKER, MEMBER ->
                new VisibleRuns.Only(member.group().seenWorkers(), member.own());
          };
      case Caller.Person person -> PersonAuthority.sight(person.roles());
      case Caller.Unauthenticated _ -> new VisibleRuns.Only(List.of(), Optional.empty());
    };
  }

  private static boolean may(Caller.Member member, Action action) {
    Group group = member.group();
    if (group.role() == Role.MAIN) {
      return true;
    }
    return switch (action) {
      case Action.See see ->
          group.sees(see.worker()) || member.own().filter(see.run()::equals).isPresent();
      case Action.SeeAll _ -> group.role() == Role.OBSERVER;
      case Action.ListRuns _ -> group.role() == Role.OBSERVER || group.role() == Role.LEAD;
      case Action.Dispatch dispatch -> group.directs(dispatch.worker());
      case Action.Start start -> group.directs(start.worker()) && !start.declared();
      case Action.Direct direct -> group.directs(direct.worker()) && !itself(member, direct.run());
      case Action.Answer answer -> group.directs(answer.worker()) && !itself(member, answer.run());
      case Action.Tell tell ->
          tell.to().equals(group.name())
              || (group.role() == Role.LEAD && group.directs(WorkerName.of(tell.to().value())));
      case Action.Converse converse -> itself(member, converse.run()) && converse.inChat();
      case Action.AddSchedule add ->
          !add.check()
              && ((group.directs(add.worker()) && !add.declared())
                  || isOwn(add.worker(), add.own()));
      case Action.SeeSchedule see -> group.sees(see.worker()) || isOwn(see.worker(), see.own());
      case Action.ChangeSchedule change ->
          !change.check()
              && change.createdBy().group().equals(group.name())
              && (group.directs(change.worker()) || isOwn(change.worker(), change.own()));
      case Action.SeeLoop see -> group.sees(see.worker());
      case Action.DirectLoop direct -> group.directs(direct.worker());
      case Action.LetIn _,
          Action.CreateWorker _,
          Action.StartLoop _,
          Action.SeeChats _,
          Action.ManagePeople _,
          Action.Grant _,
          Action.ManageChats _,
          Action.SpeakAs _,
          Action.Keep _ ->
          false;
    };
  }

  /** Returns whether the worker is the one whose agent asks. */
  private static boolean isOwn(WorkerName worker, Optional<WorkerName> own) {
    return own.filter(worker::equals).isPresent();
  }

  /**
   * Returns whether the run belongs to the caller itself. An agent never controls its own run: no
   * steer, no answer, no review.
   */
  private static boolean itself(Caller.Member member, RunId run) {
    return member.own().filter(run::equals).isPresent();
  }

  private static String rule(Group group, Action action) {
    if (action instanceof Action.Start start && group.directs(start.worker())) {
      return "a dispatch, for a worker that is declared";
    }
    return action instanceof Action.Converse ? CONVERSE_RULE : rule(group);
  }

  private static String rule(Group group) {
    return switch (group.role()) {
      case MAIN -> "everything";
      case LEAD -> "its own workers only: " + String.join(", ", names(group));
      case OBSERVER -> "read only";
      case WORKER, MEMBER -> "only its own runs";
    };
  }

  private static String rule(Action action) {
    return switch (action) {
      case Action.AddSchedule _, Action.SeeSchedule _, Action.ChangeSchedule _ ->
          "an agent schedules for its own worker only, and without a check";
      case Action.Converse _ -> CONVERSE_RULE;
      case Action.See _,
          Action.SeeAll _,
          Action.ListRuns _,
          Action.Dispatch _,
          Action.Start _,
          Action.Direct _,
          Action.Answer _,
          Action.LetIn _,
          Action.CreateWorker _,
          Action.StartLoop _,
          Action.SeeLoop _,
          Action.DirectLoop _,
          Action.SeeChats _,
          Action.ManagePeople _,
          Action.Grant _,
          Action.ManageChats _,
          Action.Tell _,
          Action.SpeakAs _,
          Action.Keep _ ->
          "an agent may see only its own run";
    };
  }

  private static List<String> names(Group group) {
    return group.workers().stream().map(NamePattern::text).toList();
  }

  private static boolean sees(Caller.Worker worker, Action action) {
    return switch (action) {
      case Action.See see -> see.run().equals(worker.run());
      case Action.AddSchedule add -> !add.check() && isOwn(add.worker(), add.own());
      case Action.SeeSchedule see -> isOwn(see.worker(), see.own());
      case Action.ChangeSchedule change ->
          !change.check()
              && isOwn(change.worker(), change.own())
              && change.createdBy().equals(worker.author());
      case Action.Converse converse -> converse.run().equals(worker.run()) && converse.inChat();
      case Action.SeeAll _,
          Action.ListRuns _,
          Action.Dispatch _,
          Action.Start _,
          Action.Direct _,
          Action.Answer _,
          Action.LetIn _,
          Action.CreateWorker _,
          Action.StartLoop _,
          Action.SeeLoop _,
          Action.DirectLoop _,
          Action.SeeChats _,
          Action.ManagePeople _,
          Action.Grant _,
          Action.ManageChats _,
          Action.Tell _,
          Action.SpeakAs _,
          Action.Keep _ ->
          false;
    };
  }

  private static Problem refusal(String rule, String message) {
    return Problem.of(Code.FORBIDDEN, "caller", rule, message);
  }
}
