package dev.midcourse.core.chat.approval;

import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.id.WorkerName;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The order in which people are asked to let somebody in. */
public final class ApproverOrder {
  private ApproverOrder() {}

  /**
   * The admins of one of these workers, then the admins of all workers, then the owners; each group
   * by the time of the grant, nobody twice.
   */
  public static List<PersonId> of(List<RoleGrant> grants, List<WorkerName> workers) {
    return Stream.of(
            grants.stream()
                .filter(grant -> grant.role() == PersonRole.ADMIN)
                .filter(grant -> grant.worker().filter(workers::contains).isPresent()),
            grants.stream()
                .filter(grant -> grant.role() == PersonRole.ADMIN && grant.worker().isEmpty()),
            grants.stream().filter(grant -> grant.role() == PersonRole.OWNER))
        .flatMap(group -> group.sorted(Comparator.comparing(RoleGrant::grantedAt)))
        .map(RoleGrant::person)
        .distinct()
        .toList();
  }
}
