package dev.midcourse.core.chat.approval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.id.WorkerName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ApproverOrderTest {
  private static final WorkerName ANDY = WorkerName.of("andy");
  private static final WorkerName EVE = WorkerName.of("eve");

  private static RoleGrant grant(String person, PersonRole role, WorkerName worker, int minute) {
    return new RoleGrant(
        PersonId.of(person), role, Optional.of(worker), Optional.empty(), at(minute));
  }

  private static RoleGrant grant(String person, PersonRole role, int minute) {
    return new RoleGrant(PersonId.of(person), role, Optional.empty(), Optional.empty(), at(minute));
  }

  private static Instant at(int minute) {
    return Instant.parse("2026-03-01T10:00:00Z").plusSeconds(60L * minute);
  }

  private static List<String> order(List<RoleGrant> grants, WorkerName... workers) {
    return ApproverOrder.of(grants, List.of(workers)).stream().map(PersonId::value).toList();
  }

  /** Seen to fail when owners come first, and when a person with two roles is kept twice. */
  @Test
  void t144_admins_of_the_worker_come_before_other_admins_and_owners_last_and_nobody_twice() {
    List<RoleGrant> grants =
        List.of(
            grant("owner", PersonRole.OWNER, 0),
            grant("later-admin", PersonRole.ADMIN, 3),
            grant("admin", PersonRole.ADMIN, 2),
            grant("owner", PersonRole.ADMIN, ANDY, 5),
            grant("andys", PersonRole.ADMIN, ANDY, 4),
            grant("eves", PersonRole.ADMIN, EVE, 1),
            grant("member", PersonRole.MEMBER, ANDY, 0));

    assertThat(order(grants, ANDY)).containsExactly("andys", "owner", "admin", "later-admin");
    assertThat(order(grants)).containsExactly("admin", "later-admin", "owner");
  }

  @Test
  void without_admins_and_owners_there_is_nobody_to_ask() {
    assertThat(order(List.of(grant("member", PersonRole.MEMBER, ANDY, 0)), ANDY)).isEmpty();
    assertThat(order(List.of())).isEmpty();
  }
}
