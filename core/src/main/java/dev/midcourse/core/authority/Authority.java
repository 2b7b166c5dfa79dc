package dev.midcourse.core.authority;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import java.util.List;
import java.util.Optional;

/**
 * The one place that decides who may do what. Main may do everything; a lead directs its workers;
 * an observer looks; a member asks things of itself; an agent's own process may look at its own run
 * and do nothing else; everybody else is refused. A worker that is declared works under the
 * contract for everybody but main.
 */
public final class Authority {
  private Authority() {}

  /** Why this asker may not do this; empty when it may. */
  public static Optional<Problem> objection(Asker asker, Act act) {
    return switch (asker) {
      case Asker.Main _ -> Optional.empty();
      case Asker.Worker worker ->
          sees(worker, act)
              ? Optional.empty()
              : Optional.of(
                  refusal(
                      "an agent may look at its own run only",
                      "a process of run " + worker.run() + " may not " + act.words()));
      case Asker.Member member ->
          may(member, act)
              ? Optional.empty()
              : Optional.of(
                  refusal(
                      rule(member.group(), act),
                      member.group().role().wire()
                          + " "
                          + member.group().name()
                          + " may not "
                          + act.words()));
      case Asker.Stranger(String why) ->
          Optional.of(refusal("a person, or the token", why + ": may not " + act.words()));
    };
  }

  /**
   * All that this asker may look at: exactly the runs to which {@link Act.See} has no objection.
   */
  public static Sight sight(Asker asker) {
    return switch (asker) {
      case Asker.Main _ -> new Sight.Everything();
      case Asker.Worker worker -> new Sight.Only(List.of(), Optional.of(worker.run()));
      case Asker.Member member ->
          switch (member.group().role()) {
            case MAIN, OBSERVER -> new Sight.Everything();
            case LEAD, WORKER, MEMBER -> new Sight.Only(member.group().seenWorkers(), member.own());
          };
      case Asker.Stranger _ -> new Sight.Only(List.of(), Optional.empty());
    };
  }

  private static boolean may(Asker.Member member, Act act) {
    Group group = member.group();
    if (group.role() == Role.MAIN) {
      return true;
    }
    return switch (act) {
      case Act.See see ->
          group.sees(see.worker()) || member.own().filter(see.run()::equals).isPresent();
      case Act.SeeAll _ -> group.role() == Role.OBSERVER;
      case Act.ListRuns _ -> group.role() == Role.OBSERVER || group.role() == Role.LEAD;
      case Act.Dispatch dispatch -> group.directs(dispatch.worker());
      case Act.Start start -> group.directs(start.worker()) && !start.declared();
      case Act.Direct direct -> group.directs(direct.worker()) && !itself(member, direct.run());
      case Act.Answer answer -> group.directs(answer.worker()) && !itself(member, answer.run());
      case Act.Tell tell ->
          tell.to().equals(group.name())
              || (group.role() == Role.LEAD && group.directs(WorkerName.of(tell.to().value())));
      case Act.SpeakAs _, Act.Keep _ -> false;
    };
  }

  /** An agent never decides what becomes of its own run: no steer, no answer, no review. */
  private static boolean itself(Asker.Member member, RunId run) {
    return member.own().filter(run::equals).isPresent();
  }

  private static String rule(Group group, Act act) {
    if (act instanceof Act.Start start && group.directs(start.worker())) {
      return "a dispatch, for a worker that is declared";
    }
    return switch (group.role()) {
      case MAIN -> "everything";
      case LEAD -> "its own workers only: " + String.join(", ", names(group));
      case OBSERVER -> "looking only";
      case WORKER, MEMBER -> "itself only";
    };
  }

  private static List<String> names(Group group) {
    return group.workers().stream().map(NamePattern::text).toList();
  }

  private static boolean sees(Asker.Worker worker, Act act) {
    return switch (act) {
      case Act.See see -> see.run().equals(worker.run());
      case Act.SeeAll _,
          Act.ListRuns _,
          Act.Dispatch _,
          Act.Start _,
          Act.Direct _,
          Act.Answer _,
          Act.Tell _,
          Act.SpeakAs _,
          Act.Keep _ ->
          false;
    };
  }

  private static Problem refusal(String rule, String message) {
    return Problem.of(Code.FORBIDDEN, "caller", rule, message);
  }
}
