package dev.midcourse.engine.conversation;

import static dev.midcourse.engine.conversation.ChatFixture.CHANNEL;
import static dev.midcourse.engine.conversation.ChatFixture.WORKER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.EngageMode;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundContent.Reaction;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.engine.outbox.OutboxWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Failures of other chat hubs, by their numbers in {@code proof/conformance.txt}. */
class KnownChatFailuresTest {
  private ChatFixture fixture;

  @BeforeEach
  void open(@TempDir Path folder) {
    fixture = new ChatFixture(folder);
    fixture.person("ann", PersonRole.MEMBER);
    fixture.chat("dm-ann", ChatKind.DIRECT, false, WORKER);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Run started(String text) {
    fixture.says("ann", text).send();
    Run run = fixture.runs().getLast();
    fixture.begins(run);
    return run;
  }

  /** Seen to fail when messages that were too many for a prompt stay as context of the next one. */
  @Test
  void t102_context_that_a_prompt_left_out_never_comes_after_newer_messages() {
    Chat group = fixture.chat("g", ChatKind.GROUP, false, WORKER);
    fixture.rewire(
        group, wiring -> ConversationServiceTest.accumulating(wiring, EngageMode.MENTION));
    for (int i = 0; i < 15; i++) {
      fixture.says("ann", "chatter " + i).in(group).send();
    }
    fixture.says("ann", "first").in(group).mentioned().send();
    Run first = fixture.onlyRun();
    fixture.begins(first);
    fixture.agent.ends("done");
    fixture.engine.awaitState(first.id(), RunState.DONE);
    fixture.says("ann", "newer").in(group).send();
    fixture.says("ann", "second").in(group).mentioned().send();

    assertThat(first.spec().prompt()).contains("chatter 14<").doesNotContain("chatter 5<");
    assertThat(fixture.runs().getLast().spec().prompt())
        .contains("newer<", "second<")
        .doesNotContain("chatter");
  }

  /** Seen to fail when a message is not looked up among those that were stored. */
  @Test
  void t103_a_second_delivery_changes_nothing_for_any_of_several_workers() {
    fixture.addWorker("b");
    fixture.person("own", PersonRole.OWNER);
    fixture.chat("dm-own", ChatKind.DIRECT, false, WORKER, WorkerName.of("b"));
    InboundMessage message = fixture.says("own", "compare").message();
    fixture.service().receive(message);
    int before = fixture.outbox().size();
    fixture.service().receive(message);

    assertThat(fixture.runs()).hasSize(2);
    assertThat(fixture.outbox()).hasSize(before);
  }

  /** Seen to fail when the refusal of a command is thrown instead of told. */
  @Test
  void t107_a_command_without_the_right_is_answered_and_the_next_message_is_routed() {
    fixture.person("own", PersonRole.OWNER);
    Chat group = fixture.chat("g", ChatKind.GROUP, false, WORKER);
    fixture.says("eve", "hello").in(group).mentioned().send();
    String request = fixture.engine.ledger.read(r -> r.chats().approvals()).getFirst().id().value();
    PersonId admin = fixture.person("adm", PersonRole.MEMBER);
    fixture.engine.ledger.write(tx -> {
      Optional<WorkerName> other = Optional.of(WorkerName.of("b"));
      tx.chats()
          .put(
              new RoleGrant(
                  admin, PersonRole.ADMIN, other, Optional.empty(), fixture.clock.instant()));
      return admin;
    });
    fixture.chat("dm-adm", ChatKind.DIRECT, false, WORKER);
    fixture.says("adm", "/approve " + request).send();
    fixture.says("adm", "fix the login").send();

    assertThat(fixture.texts("dm-adm").getFirst()).contains("may not");
    assertThat(fixture.onlyRun().spec().prompt()).contains("fix the login");
  }

  /** Seen to fail when a message counts as done as soon as it is written to the agent. */
  @Test
  void t109_a_message_that_a_dead_agent_had_not_answered_is_given_to_the_next() {
    Run run = started("fix the login");
    String reply = fixture.says("ann", "only OAuth").replyTo("m1").send();
    Steer steer = fixture.steers(run.id()).getFirst();
    fixture.agent.awaitMessage("steer " + steer.id());
    assertThat(fixture.reaction(reply).map(Reaction::status)).hasValue(MessageStatus.QUEUED);
    fixture.agent.dies();

    await().until(() -> fixture.agent.starts.size() == 2);
    assertThat(fixture.agent.awaitMessage("prompt 2")).contains("only OAuth");
    assertThat(fixture.reaction(reply).map(Reaction::status)).hasValue(MessageStatus.QUEUED);
    fixture.agent.begins(2);
    fixture.agent.ends("fixed");
    fixture.awaitReaction(reply, MessageStatus.DONE);
  }

  /** Seen to fail when the id of a message gets the name of the worker. */
  @Test
  void t112_reactions_are_on_the_message_of_the_platform_also_with_several_workers() {
    fixture.addWorker("b");
    fixture.person("own", PersonRole.OWNER);
    fixture.chat("dm-own", ChatKind.DIRECT, false, WORKER, WorkerName.of("b"));
    String message = fixture.says("own", "compare").send();

    assertThat(fixture.outbox())
        .extracting(OutboundMessage::content)
        .filteredOn(Reaction.class::isInstance)
        .isNotEmpty()
        .allMatch(it -> ((Reaction) it).message().equals(message));
  }

  /** Seen to fail when the answer is put into the outbox without a look at what was sent. */
  @Test
  void t115_a_text_that_the_agent_sent_with_a_tool_is_not_sent_again_as_its_answer() {
    Run run = started("fix the login");
    ChatAddress chat = new ChatAddress(CHANNEL, "dm-ann", Optional.empty());
    fixture.engine.ledger.write(tx ->
        new OutboxWriter(
                tx.chats(), fixture.engine.engine().context().ids(), fixture.clock.instant())
            .text(chat, "It is fixed.", Optional.empty(), Optional.of(run.id())));
    fixture.agent.ends("It is fixed.");

    fixture.awaitReaction("m1", MessageStatus.DONE);
    assertThat(fixture.texts("dm-ann")).containsExactly("It is fixed.");
  }

  /** Seen to fail when each sender is stored as a person. */
  @Test
  void t122_a_message_in_a_chat_without_a_worker_makes_no_person_and_no_chat() {
    fixture.person("own", PersonRole.OWNER);
    int people = fixture.engine.ledger.read(r -> r.chats().people()).size();
    int chats = fixture.engine.ledger.read(r -> r.chats().chats()).size();
    fixture.says("eve", "just talking").inGroup("elsewhere").quietly().send();

    int peopleAfter = fixture.engine.ledger.read(r -> r.chats().people()).size();
    int chatsAfter = fixture.engine.ledger.read(r -> r.chats().chats()).size();
    assertThat(peopleAfter).isEqualTo(people);
    assertThat(chatsAfter).isEqualTo(chats);
  }

  /** Seen to fail when dropped messages are not stored. */
  @Test
  void t124_each_dropped_message_is_kept_with_its_sender_and_reason() {
    Chat group = fixture.chat("g", ChatKind.GROUP, false, WORKER);
    String first = fixture.says("eve", "one").in(group).send();
    String second = fixture.says("mallory", "two").in(group).send();

    for (String id : List.of(first, second)) {
      assertThat(fixture.stored("g", id).decision().actions().toString()).contains("Drop");
    }
    assertThat(fixture.stored("g", first).message().sender().name()).isEqualTo("eve");
    assertThat(fixture.stored("g", second).message().sender().name()).isEqualTo("mallory");
  }

  /** Seen to fail when a message to a queued run starts another run. */
  @Test
  void t212_a_message_to_a_queued_run_leaves_its_task_as_it_is() {
    started("fix the login");
    fixture.person("bob", PersonRole.MEMBER);
    fixture.chat("dm-bob", ChatKind.DIRECT, false, WORKER);
    String task = fixture.says("bob", "deploy").send();
    Run queued = fixture.runs().getLast();
    fixture.says("bob", "to staging only").replyTo(task).send();

    assertThat(fixture.engine.now(queued.id()).spec()).isEqualTo(queued.spec());
    assertThat(fixture.steers(queued.id())).hasSize(1);
    assertThat(fixture.runs()).hasSize(2);
  }

  /** Seen to fail when a message is not looked up among those that were stored. */
  @Test
  void t214_a_message_that_became_a_steer_is_not_taken_again_after_a_restart() {
    Run run = started("fix the login");
    InboundMessage reply = fixture.says("ann", "only OAuth").replyTo("m1").message();
    fixture.service().receive(reply);
    fixture.restartHub();
    fixture.service().receive(reply);

    assertThat(fixture.steers(run.id())).hasSize(1);
    assertThat(fixture.runs()).hasSize(1);
    assertThat(fixture.texts("dm-ann")).isEmpty();
  }

  /** Seen to fail when all chats of a worker share a conversation. */
  @Test
  void t218_a_message_reaches_the_run_of_its_own_chat_only() {
    Run first = started("fix the login");
    fixture.person("bob", PersonRole.MEMBER);
    fixture.chat("dm-bob", ChatKind.DIRECT, false, WORKER);
    fixture.says("bob", "deploy").send();
    fixture.says("bob", "to staging only").send();

    assertThat(fixture.steers(first.id())).isEmpty();
    assertThat(fixture.runs()).hasSize(2);
    assertThat(fixture.steers(fixture.runs().getLast().id()).getFirst().text().value())
        .contains("to staging only");
  }

  /** Seen to fail when the failure is thrown to the channel, which delivers the message again. */
  @Test
  void t221_a_message_that_cannot_be_handled_is_told_and_the_next_one_is_handled() {
    fixture.breakWorkers(true);
    fixture.says("ann", "fix the login").send();
    fixture.breakWorkers(false);
    fixture.says("ann", "fix the logout").send();

    assertThat(fixture.texts("dm-ann").getFirst()).contains("not given to the agent");
    assertThat(fixture.stored("dm-ann", "m1").decision().actions().toString())
        .contains("INTERNAL_ERROR");
    assertThat(fixture.onlyRun().spec().prompt()).contains("fix the logout");
  }
}
