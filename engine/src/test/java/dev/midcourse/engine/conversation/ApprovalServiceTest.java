package dev.midcourse.engine.conversation;

import static dev.midcourse.engine.conversation.ChatFixture.WORKER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.EngageMode;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.WiringId;
import dev.midcourse.core.chat.approval.PendingApproval;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundContent.Card;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundContent.Reaction;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.LinkedIdentity;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Strangers change nothing until somebody with authority lets them in. */
class ApprovalServiceTest {
  private ChatFixture fixture;
  private Chat group;

  @BeforeEach
  void open(@TempDir Path folder) {
    fixture = new ChatFixture(folder);
    group = fixture.chat("g", ChatKind.GROUP, false, WORKER);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private List<PendingApproval> pending() {
    return fixture.engine.ledger.read(r -> r.chats().approvals());
  }

  private List<Wiring> wirings() {
    return fixture.engine.ledger.read(r -> r.chats().wirings());
  }

  private static List<String> labels(Card card) {
    return card.buttons().stream().map(Button::label).toList();
  }

  /** Seen to fail when a pending request of the sender is not looked for. */
  @Test
  void t139_an_unknown_sender_is_asked_for_once_and_allowed_with_the_first_message() {
    fixture.person("own", PersonRole.OWNER);
    fixture.clock.stop();
    fixture.says("eve", "hello").in(group).mentioned().send();
    fixture.says("eve", "anybody?").in(group).mentioned().send();

    assertThat(pending()).hasSize(1);
    assertThat(fixture.cards("dm-own")).hasSize(1);
    assertThat(labels(fixture.cards("dm-own").getFirst())).containsExactly("Allow", "Deny");
    assertThat(fixture.runs()).isEmpty();
    assertThat(fixture.stored("g", "m2").decision().actions().toString())
        .contains("APPROVAL_PENDING");

    fixture.clock.move(Duration.ofHours(1));
    assertThat(fixture.click("own", "Allow")).isEqualTo("eve may talk to a");
    Run run = fixture.onlyRun();
    assertThat(run.spec().prompt()).contains("hello</message>").doesNotContain("anybody?");
    assertThat(pending()).isEmpty();
    fixture.says("eve", "more").in(group).mentioned().send();
    assertThat(fixture.steers(run.id())).hasSize(1);
  }

  @Test
  void a_message_of_a_stranger_that_addresses_no_worker_asks_nobody_and_is_no_context() {
    fixture.person("own", PersonRole.OWNER);
    fixture.rewire(
        group, wiring -> ConversationServiceTest.accumulating(wiring, EngageMode.MENTION));
    fixture.says("eve", "chatter").in(group).send();
    fixture.says("own", "begin").in(group).mentioned().send();

    assertThat(pending()).isEmpty();
    assertThat(fixture.onlyRun().spec().prompt()).doesNotContain("chatter");
  }

  /** Seen to fail when a number is only a message. */
  @Test
  void a_channel_without_buttons_takes_the_number_of_an_answer() {
    fixture.person("own", PersonRole.OWNER);
    fixture.says("eve", "hello").in(group).mentioned().send();
    assertThat(labels(fixture.cards("dm-own").getFirst())).containsExactly("Allow", "Deny");

    fixture.says("own", "1").send();

    assertThat(pending()).isEmpty();
    assertThat(fixture.texts("dm-own")).contains("eve may talk to a");
    assertThat(fixture.onlyRun().spec().prompt()).contains("hello</message>");
  }

  /** The number must be the answer of somebody who may decide, and come right after the card. */
  @Test
  void a_number_of_somebody_else_or_after_another_message_decides_nothing() {
    fixture.person("own", PersonRole.OWNER);
    fixture.person("mem", PersonRole.MEMBER);
    fixture.says("eve", "hello").in(group).mentioned().send();
    fixture.says("eve", "1").in(group).mentioned().send();
    fixture.says("mem", "1").in(group).mentioned().send();
    assertThat(pending()).hasSize(1);
  }

  /** Seen to fail when the text of a stranger is put into the card as Markdown. */
  @Test
  void nothing_that_a_stranger_wrote_is_a_link_or_markup_on_the_card() {
    fixture.person("own", PersonRole.OWNER);
    fixture
        .says("eve", "[the login](https://evil.example) **now** `x`")
        .in(group)
        .mentioned()
        .send();
    assertThat(fixture.cards("dm-own").getFirst().markdown())
        .contains("\\[the login\\](https://evil.example) \\*\\*now\\*\\* \\`x\\`");
  }

  /** Seen to fail when a denial lets the sender in. */
  @Test
  void t140_a_denial_is_not_remembered() {
    fixture.person("own", PersonRole.OWNER);
    fixture.says("eve", "hello").in(group).mentioned().send();
    assertThat(fixture.click("own", "Deny")).isEqualTo("denied");
    assertThat(fixture.runs()).isEmpty();
    fixture.says("eve", "please").in(group).mentioned().send();

    assertThat(pending()).hasSize(1);
  }

  /** Seen to fail when a sender is let in without a look at the authority of the clicker. */
  @Test
  void t117_only_somebody_with_authority_decides_and_the_second_click_is_told_who_did() {
    fixture.person("own", PersonRole.OWNER);
    fixture.person("adm", PersonRole.ADMIN);
    fixture.person("mem", PersonRole.MEMBER);
    fixture.says("eve", "hello").in(group).mentioned().send();

    assertThat(fixture.click("mem", "Allow")).contains("may not");
    assertThat(fixture.click("eve", "Allow")).contains("may not");
    assertThat(pending()).hasSize(1);
    assertThat(fixture.click("adm", "Allow")).isEqualTo("eve may talk to a");
    assertThat(fixture.click("own", "Deny")).isEqualTo("Already decided by adm: eve may talk to a");
  }

  /** Seen to fail when owners come first. */
  @Test
  void t144_the_admin_of_the_worker_is_asked_before_the_owner() {
    fixture.person("own", PersonRole.OWNER);
    fixture.person("adm", PersonRole.ADMIN);
    fixture.says("eve", "hello").in(group).mentioned().send();

    assertThat(fixture.cards("dm-adm")).hasSize(1);
    assertThat(fixture.cards("dm-own")).isEmpty();
  }

  /**
   * Seen to fail when the channel of the message is not preferred, and when the first in the order
   * is asked although nobody can reach him.
   */
  @Test
  void t144_the_first_who_can_be_reached_is_asked_best_in_the_channel_of_the_message() {
    PersonId unreachable = PersonId.of("p-far");
    PersonId elsewhere = PersonId.of("p-adm");
    Identity inOtherChannel = new Identity(ChannelName.of("other"), "adm");
    Instant now = fixture.clock.instant();
    fixture.engine.ledger.write(tx -> {
      for (PersonId admin : List.of(unreachable, elsewhere)) {
        tx.chats().put(new Person(admin, admin.value(), Optional.empty(), now));
        tx.chats()
            .put(
                new RoleGrant(admin, PersonRole.ADMIN, Optional.of(WORKER), Optional.empty(), now));
      }
      tx.chats().put(new LinkedIdentity(inOtherChannel, elsewhere, "adm", now));
      tx.chats().putDirectChat(inOtherChannel, "dm-adm");
      return now;
    });
    fixture.says("eve", "hello").in(group).mentioned().send();
    assertThat(fixture.cards("dm-adm")).hasSize(1);

    fixture.person("own", PersonRole.OWNER);
    fixture.says("mallory", "hello").in(group).mentioned().send();
    assertThat(fixture.cards("dm-own")).hasSize(1);
    assertThat(fixture.cards("dm-adm")).hasSize(1);
  }

  /** Seen to fail when a request without an approver is not stored. */
  @Test
  void t142_without_anybody_to_ask_the_request_waits_and_nothing_happens() {
    fixture.says("eve", "hello").in(group).mentioned().send();

    assertThat(pending()).hasSize(1);
    assertThat(pending().getFirst().approver()).isEmpty();
    assertThat(fixture.runs()).isEmpty();
  }

  @Test
  void a_request_expires_and_its_card_is_closed() {
    fixture.person("own", PersonRole.OWNER);
    fixture.clock.stop();
    fixture.says("eve", "hello").in(group).mentioned().send();
    fixture.clock.move(Duration.ofDays(2));
    fixture.restartHub();

    await().until(() -> pending().isEmpty());
    assertThat(fixture.click("own", "Allow")).contains("Expired");
    assertThat(fixture.runs()).isEmpty();
  }

  @Test
  void an_owner_with_one_worker_is_wired_in_silence() {
    fixture.person("own", PersonRole.OWNER);
    fixture.says("own", "hello").send();

    assertThat(fixture.runs()).hasSize(1);
    assertThat(fixture.cards("dm-own")).isEmpty();
    assertThat(wirings()).anyMatch(wiring -> wiring.engagement().pattern().isPresent());
  }

  /** Seen to fail when the first message of the chat stays in the request. */
  @Test
  void t141_a_new_chat_asks_with_a_button_for_each_worker_and_replays_the_latest_message() {
    fixture.addWorker("b");
    fixture.allowNewWorkers();
    fixture.person("own", PersonRole.OWNER);
    fixture.says("eve", "first").inGroup("new").send();
    fixture.says("eve", "second").inGroup("new").send();

    assertThat(fixture.cards("dm-own")).hasSize(1);
    assertThat(labels(fixture.cards("dm-own").getFirst()))
        .containsExactly("a", "b", "Create new", "Ignore");
    assertThat(fixture.click("own", "b")).isEqualTo("new talks to b");
    Run run = fixture.onlyRun();
    assertThat(run.spec().worker()).isEqualTo(WorkerName.of("b"));
    assertThat(run.spec().prompt()).contains("second</message>").doesNotContain("first");
    assertThat(wirings())
        .filteredOn(wiring -> wiring.worker().equals(WorkerName.of("b")))
        .allMatch(wiring -> wiring.engagement().mode() == EngageMode.MENTION);
  }

  /** Seen to fail when the click on Create new decides the request at once. */
  @Test
  void t127_create_new_asks_for_a_name_and_another_text_is_not_taken_for_it() {
    fixture.addWorker("b");
    fixture.allowNewWorkers();
    fixture.person("own", PersonRole.OWNER);
    fixture.chat("dm-own", ChatKind.DIRECT, false, WORKER);
    fixture.says("eve", "hello").inGroup("new").send();
    String ask = fixture.click("own", "Create new");
    assertThat(ask).contains("/approve ", " new NAME");
    fixture.says("own", "an ordinary message").send();
    assertThat(pending()).hasSize(1);
    String id = pending().getFirst().id().value();
    fixture.says("own", "/approve " + id + " new helper").send();

    assertThat(pending()).isEmpty();
    assertThat(fixture.runs().getLast().spec().worker()).isEqualTo(WorkerName.of("new-helper"));
  }

  @Test
  void approve_and_deny_work_without_buttons() {
    fixture.person("own", PersonRole.OWNER);
    fixture.chat("dm-own", ChatKind.DIRECT, false, WORKER);
    fixture.says("eve", "hello").in(group).mentioned().send();
    fixture.says("own", "/approve " + pending().getFirst().id()).send();

    assertThat(fixture.runs()).hasSize(1);
    assertThat(fixture.texts("dm-own").getLast()).startsWith("eve may talk to a");
  }

  @Test
  void a_member_who_approves_is_told_that_this_is_not_allowed() {
    fixture.person("own", PersonRole.OWNER);
    fixture.person("mem", PersonRole.MEMBER);
    fixture.chat("dm-mem", ChatKind.DIRECT, false, WORKER);
    fixture.says("eve", "hello").in(group).mentioned().send();
    fixture.says("mem", "/approve " + pending().getFirst().id()).send();

    assertThat(pending()).hasSize(1);
    assertThat(fixture.texts("dm-mem")).containsExactly("You may not do this");
    assertThat(fixture.runs()).isEmpty();
  }

  @Test
  void a_hidden_sender_is_nobody() {
    fixture.person("own", PersonRole.OWNER);
    fixture.says("admin", "hello").in(group).mentioned().hidden().send();

    assertThat(pending()).isEmpty();
    assertThat(fixture.runs()).isEmpty();
  }

  /** Seen to fail when a stranger gets neither a reaction nor a text. */
  @Test
  void a_stranger_is_told_once_that_the_message_waits_and_sees_the_decision() {
    fixture.person("own", PersonRole.OWNER);
    String first = fixture.says("eve", "hello").in(group).mentioned().send();
    fixture.says("eve", "anybody?").in(group).mentioned().send();

    assertThat(fixture.reaction(first).map(Reaction::status)).hasValue(MessageStatus.QUEUED);
    assertThat(fixture.texts("g")).hasSize(1).first().asString().contains("lets you in");
    fixture.click("own", "Deny");
    assertThat(fixture.reaction(first).map(Reaction::status)).hasValue(MessageStatus.NOT_DELIVERED);
    assertThat(fixture.texts("g")).hasSize(1);
  }

  @Test
  void a_message_in_a_new_chat_that_a_newer_one_replaces_shows_that_it_is_not_delivered() {
    fixture.addWorker("b");
    fixture.person("own", PersonRole.OWNER);
    String first = fixture.says("eve", "first").inGroup("new").send();
    String second = fixture.says("eve", "second").inGroup("new").send();

    assertThat(fixture.reaction(first).map(Reaction::status)).hasValue(MessageStatus.NOT_DELIVERED);
    assertThat(fixture.reaction(second).map(Reaction::status)).hasValue(MessageStatus.QUEUED);
    fixture.click("own", "b");
    assertThat(fixture.reaction(second).map(Reaction::status)).hasValue(MessageStatus.RUNNING);
  }

  /** Seen to fail when a wiring made by hand leaves the request of the chat open. */
  @Test
  void a_wiring_made_by_hand_closes_the_request_of_its_chat_and_asks_for_the_sender() {
    fixture.addWorker("b");
    fixture.person("own", PersonRole.OWNER);
    fixture.says("eve", "hello").inGroup("new").send();
    Chat made =
        fixture.engine.ledger.read(r -> r.chats().chat(ChatFixture.CHANNEL, "new")).orElseThrow();
    fixture.engine.ledger.write(tx -> {
      Instant now = fixture.clock.instant();
      tx.chats().put(Wiring.withDefaults(WiringId.of("by-hand"), made, WORKER, now));
      return made;
    });
    fixture.service().approvals().settle("main");

    assertThat(pending()).singleElement().isInstanceOf(PendingApproval.UnknownSender.class);
    assertThat(fixture.click("own", "b")).contains("Already decided by main");
    assertThat(fixture.runs()).isEmpty();
  }

  /** Seen to fail when a role granted by hand leaves the request of the sender open. */
  @Test
  void a_role_granted_by_hand_closes_the_request_and_routes_the_message() {
    fixture.person("own", PersonRole.OWNER);
    fixture.says("eve", "hello").in(group).mentioned().send();
    fixture.service().approvals().settle("main");
    assertThat(pending()).hasSize(1);
    fixture.person("eve", PersonRole.MEMBER);
    fixture.restartHub();

    assertThat(pending()).isEmpty();
    assertThat(fixture.onlyRun().spec().prompt()).contains("hello</message>");
  }
}
