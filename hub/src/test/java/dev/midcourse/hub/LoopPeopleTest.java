package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.LinkedIdentity;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopBudget;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.LoopSpec;
import dev.midcourse.core.loop.forge.ForgeOrder;
import dev.midcourse.core.steer.Author;
import dev.midcourse.hub.loop.LoopPeople;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.SqliteLedger;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may steer a loop by a comment in its change, with a real ledger. */
class LoopPeopleTest {
  private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
  private static final WorkerName WORKER = WorkerName.of("worker-1");
  private static final PersonId ANNA = PersonId.of("anna");
  private static final Author ASKING = Author.person("terminal");

  @TempDir private Path data;
  private Ledger ledger;
  private LoopPeople people;

  @BeforeEach
  void open() {
    ledger = SqliteLedger.open(data.resolve("midcourse.db"));
    people = new LoopPeople(ledger);
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  private static Loop loop() {
    LoopSpec spec =
        new LoopSpec(
            HostName.of("here"),
            "/src/shop",
            BranchName.of("main"),
            BranchName.of("work"),
            WORKER,
            AgentName.of("rehearsal"),
            LoopReviewer.parse("none"),
            Optional.empty(),
            LoopSpec.DEFAULT_REVIEW_TIMEOUT,
            LoopSpec.DEFAULT_CI_TIMEOUT,
            Optional.of(ForgeOrder.opening("github", "acme/shop", "/src/shop.git")));
    return Loop.created(
        LoopId.of("fix-it-a2b3"), spec, LoopBudget.DEFAULT, false, "Fix it.", ASKING, NOON);
  }

  private void annaIs(String identity) {
    ledger.write(tx -> {
      tx.chats().put(new Person(ANNA, "Anna", Optional.empty(), NOON));
      tx.chats().put(new LinkedIdentity(Identity.of(identity), ANNA, "Anna", NOON));
      return 0;
    });
  }

  private void annaHas(PersonRole role, Optional<WorkerName> worker) {
    ledger.write(tx -> {
      tx.chats().put(new RoleGrant(ANNA, role, worker, Optional.empty(), NOON));
      return 0;
    });
  }

  private Optional<Author> author(String forge, String login) {
    return people.author(forge, login, loop());
  }

  /** Seen to fail when every login may steer. */
  @Test
  void a_stranger_may_not_steer() {
    annaIs("github:anna");
    annaHas(PersonRole.OWNER, Optional.empty());
    assertThat(author("github", "mallory")).isEmpty();
    assertThat(author("github", "")).isEmpty();
    assertThat(author("github", "anna ")).isEmpty();
  }

  /** Seen to fail when a person needs no role. */
  @Test
  void a_person_without_a_role_may_not_steer() {
    annaIs("github:anna");
    assertThat(author("github", "anna")).isEmpty();
  }

  /** Seen to fail when the role or the worker of a grant is not looked at. */
  @Test
  void a_member_and_an_administrator_of_another_worker_may_not_steer() {
    annaIs("github:anna");
    annaHas(PersonRole.MEMBER, Optional.of(WORKER));
    annaHas(PersonRole.ADMIN, Optional.of(WorkerName.of("worker-2")));
    assertThat(author("github", "anna")).isEmpty();
  }

  @Test
  void an_administrator_of_the_worker_steers_in_the_name_of_the_forge() {
    annaIs("github:anna");
    annaHas(PersonRole.ADMIN, Optional.of(WORKER));
    assertThat(author("github", "anna")).contains(new Author(ASKING.group(), "forge:github"));
    assertThat(author("github", "Anna")).as("a login in another case").isPresent();
  }

  @Test
  void an_administrator_of_all_workers_and_an_owner_steer() {
    annaIs("github:anna");
    annaHas(PersonRole.ADMIN, Optional.empty());
    assertThat(author("github", "anna")).isPresent();
    ledger.write(tx -> {
      tx.chats().revoke(ANNA, PersonRole.ADMIN, Optional.empty());
      return 0;
    });
    assertThat(author("github", "anna")).as("the role was taken back").isEmpty();
    annaHas(PersonRole.OWNER, Optional.empty());
    assertThat(author("github", "anna")).isPresent();
  }

  /** Seen to fail when every login may steer. */
  @Test
  void the_same_login_at_another_forge_or_on_a_channel_is_somebody_else() {
    annaIs("gitlab:anna");
    annaHas(PersonRole.OWNER, Optional.empty());
    assertThat(author("github", "anna")).isEmpty();
    assertThat(author("gitlab", "anna")).isPresent();
  }
}
