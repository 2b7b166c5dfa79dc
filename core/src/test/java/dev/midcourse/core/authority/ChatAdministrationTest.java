package dev.midcourse.core.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.ChatId;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.approval.ApprovalDecision;
import dev.midcourse.core.chat.approval.ApprovalId;
import dev.midcourse.core.chat.approval.ApprovalRules;
import dev.midcourse.core.chat.approval.PendingApproval;
import dev.midcourse.core.chat.inbound.ChatFacts;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.inbound.Sender;
import dev.midcourse.core.chat.inbound.SenderKind;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.steer.Author;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which caller may administer people, roles and chats. */
class ChatAdministrationTest {
  private static final WorkerName ANDY = WorkerName.of("andy");
  private static final WorkerName EVE = WorkerName.of("eve");
  private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
  private static final Identity STRANGER = Identity.of("telegram:99");

  /** Seen to fail when an admin of all workers may grant every role. */
  @ParameterizedTest(name = "{0}: {1} of {2} is {3}")
  @CsvSource({
    "owner,      owner,  all,  yes",
    "owner,      admin,  all,  yes",
    "owner,      member, andy, yes",
    "admin,      owner,  all,  no",
    "admin,      admin,  all,  no",
    "admin,      admin,  andy, yes",
    "admin,      member, andy, yes",
    "admin-andy, admin,  andy, no",
    "admin-andy, member, andy, yes",
    "admin-andy, member, eve,  no",
    "member,     member, andy, no",
    "nobody,     member, andy, no",
  })
  void t145_a_role_is_granted_only_by_a_higher_one(
      String caller, String role, String worker, String expected) {
    Optional<WorkerName> of =
        worker.equals("all") ? Optional.empty() : Optional.of(WorkerName.of(worker));
    assertThat(may(person(caller), new Action.Grant(PersonRole.parse(role), of)))
        .isEqualTo(expected.equals("yes"));
  }

  @ParameterizedTest(name = "{0}: see {1}, people {2}, chats {3}")
  @CsvSource({
    "owner,      yes, yes, yes",
    "admin,      yes, no,  yes",
    "admin-andy, no,  no,  no",
    "member,     no,  no,  no",
    "nobody,     no,  no,  no",
  })
  void people_belong_to_owners_and_chats_to_admins_of_all_workers(
      String caller, String see, String people, String chats) {
    assertThat(may(person(caller), new Action.SeeChats())).isEqualTo(see.equals("yes"));
    assertThat(may(person(caller), new Action.ManagePeople("add a person")))
        .isEqualTo(people.equals("yes"));
    assertThat(may(person(caller), new Action.ManageChats("delete a chat")))
        .isEqualTo(chats.equals("yes"));
  }

  @ParameterizedTest
  @EnumSource(Role.class)
  void a_group_administers_nothing_unless_it_is_main(Role role) {
    Group group = new Group(GroupName.of("g"), role, List.of(NamePattern.of("andy")));
    List<Caller> callers =
        List.of(
            new Caller.Member(group, "http", Optional.empty()),
            new Caller.Member(group, "http", Optional.of(RunId.of("run-1"))));
    for (Caller caller : callers) {
      for (Action action : actions()) {
        assertThat(may(caller, action)).as(action.description()).isEqualTo(role == Role.MAIN);
      }
    }
  }

  @Test
  void an_agent_and_a_stranger_administer_nothing_and_main_everything() {
    for (Action action : actions()) {
      assertThat(may(new Caller.Main("cli"), action)).isTrue();
      assertThat(may(new Caller.Worker(GroupName.of("andy"), RunId.of("run-1")), action)).isFalse();
      assertThat(may(new Caller.Unauthenticated("no proof"), action)).isFalse();
    }
  }

  /** Seen to fail when a denial needs no authority. */
  @Test
  void t145_a_sender_is_let_in_by_those_who_may_decide_for_a_worker_of_the_chat() {
    PendingApproval sender = sender();
    assertThat(ApprovalRules.sufficient(sender, new ApprovalDecision.AllowSender(), workers()))
        .containsExactly(new Action.LetIn(ANDY), new Action.LetIn(EVE));
    assertThat(ApprovalRules.sufficient(sender, new ApprovalDecision.Deny(), workers()))
        .containsExactly(new Action.LetIn(ANDY), new Action.LetIn(EVE));
    assertThat(ApprovalRules.sufficient(chat(), new ApprovalDecision.WireTo(EVE), List.of()))
        .containsExactly(new Action.LetIn(EVE));
    assertThat(ApprovalRules.sufficient(chat(), new ApprovalDecision.CreateWorker(EVE), List.of()))
        .containsExactly(new Action.CreateWorker());
  }

  @Test
  void a_decision_that_does_not_fit_is_refused() {
    assertThatThrownBy(
            () -> ApprovalRules.sufficient(chat(), new ApprovalDecision.AllowSender(), List.of()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("wire it");
    assertThatThrownBy(
            () -> ApprovalRules.sufficient(sender(), new ApprovalDecision.WireTo(EVE), workers()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("allow or deny");
  }

  private static List<WorkerName> workers() {
    return List.of(ANDY, EVE);
  }

  private static List<Action> actions() {
    return List.of(
        new Action.SeeChats(),
        new Action.ManagePeople("add a person"),
        new Action.Grant(PersonRole.MEMBER, Optional.of(ANDY)),
        new Action.ManageChats("delete a chat"),
        new Action.LetIn(ANDY));
  }

  private static PendingApproval sender() {
    return new PendingApproval.UnknownSender(
        ApprovalId.of("a1"),
        ChatId.of("c"),
        STRANGER,
        "Mallory",
        message(),
        Optional.empty(),
        NOON,
        NOON);
  }

  private static PendingApproval chat() {
    return new PendingApproval.UnknownChat(
        ApprovalId.of("a2"),
        ChatId.of("c"),
        Optional.of(STRANGER),
        "Mallory",
        message(),
        Optional.empty(),
        NOON,
        NOON);
  }

  private static InboundMessage message() {
    return new InboundMessage(
        new MessageRef(ChannelName.of("telegram"), "1", "2"),
        Optional.empty(),
        "u",
        InboundKind.MESSAGE,
        new Sender(Optional.of(STRANGER), "Mallory", SenderKind.PERSON),
        new ChatFacts(ChatKind.DIRECT, false, Optional.empty()),
        "hi",
        "hi",
        true,
        Optional.empty(),
        List.of(),
        NOON);
  }

  private static Caller person(String what) {
    PersonId id = PersonId.of("p");
    List<RoleGrant> roles =
        switch (what) {
          case "owner" -> List.of(grant(id, PersonRole.OWNER, Optional.empty()));
          case "admin" -> List.of(grant(id, PersonRole.ADMIN, Optional.empty()));
          case "admin-andy" -> List.of(grant(id, PersonRole.ADMIN, Optional.of(ANDY)));
          case "member" -> List.of(grant(id, PersonRole.MEMBER, Optional.of(ANDY)));
          default -> List.of();
        };
    return new Caller.Person(roles, new Author(GroupName.of("people"), "telegram:1"));
  }

  private static RoleGrant grant(PersonId id, PersonRole role, Optional<WorkerName> worker) {
    return new RoleGrant(id, role, worker, Optional.empty(), NOON);
  }

  private static boolean may(Caller caller, Action action) {
    return Authority.objection(caller, action).isEmpty();
  }
}
