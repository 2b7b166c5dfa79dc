package dev.midcourse.core.authority;

import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.id.WorkerName;
import java.util.List;
import java.util.Optional;

/** The rights that a person has by roles. {@link Authority} is the way to ask for them. */
final class PersonAuthority {
  static final String RULE = "a role for the worker: owner, admin or member";

  private PersonAuthority() {}

  static boolean may(List<RoleGrant> roles, Action action) {
    return switch (action) {
      case Action.See see -> covered(roles, see.worker());
      case Action.Dispatch dispatch -> covered(roles, dispatch.worker());
      case Action.Start start -> covered(roles, start.worker());
      case Action.Direct direct -> covered(roles, direct.worker());
      case Action.Answer answer -> covered(roles, answer.worker());
      case Action.AddSchedule add -> covered(roles, add.worker()) && !add.check();
      case Action.SeeSchedule see -> covered(roles, see.worker());
      case Action.ChangeSchedule change -> covered(roles, change.worker()) && !change.check();
      case Action.SeeLoop see -> covered(roles, see.worker());
      case Action.DirectLoop direct -> covered(roles, direct.worker());
      case Action.LetIn letIn -> administers(roles, letIn.worker());
      case Action.CreateWorker _ -> isGlobal(roles);
      case Action.SeeAll _, Action.SeeChats _, Action.ManageChats _ -> isGlobal(roles);
      // An account of an owner has all rights, so an admin may not link one.
      case Action.ManagePeople _ -> isOwner(roles);
      case Action.Grant grant -> mayGrant(roles, grant);
      case Action.ListRuns _ -> !roles.isEmpty();
      case Action.Tell _ -> isOwner(roles);
      case Action.StartLoop start ->
          start.worker().filter(worker -> administers(roles, worker)).isPresent();
      case Action.Converse _, Action.SpeakAs _, Action.Keep _ -> false;
    };
  }

  static VisibleRuns sight(List<RoleGrant> roles) {
    return isGlobal(roles)
        ? new VisibleRuns.Everything()
        : new VisibleRuns.Only(
            roles.stream()
                .flatMap(grant -> grant.worker().stream())
                .distinct()
                .map(worker -> NamePattern.of(worker.value()))
                .toList(),
            Optional.empty());
  }

  /** An owner grants every role, an admin of all workers those of one, an admin of one members. */
  private static boolean mayGrant(List<RoleGrant> roles, Action.Grant grant) {
    return isOwner(roles)
        || grant
            .worker()
            .filter(worker ->
                switch (grant.role()) {
                  case OWNER -> false;
                  case ADMIN -> isGlobal(roles);
                  case MEMBER -> administers(roles, worker);
                })
            .isPresent();
  }

  private static boolean covered(List<RoleGrant> roles, WorkerName worker) {
    return roles.stream().anyMatch(grant -> grant.covers(worker));
  }

  private static boolean administers(List<RoleGrant> roles, WorkerName worker) {
    return roles.stream()
        .anyMatch(grant -> grant.role() != PersonRole.MEMBER && grant.covers(worker));
  }

  /** An owner, or an admin of all workers. */
  private static boolean isGlobal(List<RoleGrant> roles) {
    return roles.stream()
        .anyMatch(grant -> grant.role() != PersonRole.MEMBER && grant.worker().isEmpty());
  }

  private static boolean isOwner(List<RoleGrant> roles) {
    return roles.stream().anyMatch(grant -> grant.role() == PersonRole.OWNER);
  }
}
