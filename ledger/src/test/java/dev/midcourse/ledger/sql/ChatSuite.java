package dev.midcourse.ledger.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatId;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.Conversation;
import dev.midcourse.core.chat.ConversationId;
import dev.midcourse.core.chat.ConversationKey;
import dev.midcourse.core.chat.UnknownSenderPolicy;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.WiringId;
import dev.midcourse.core.chat.approval.ApprovalId;
import dev.midcourse.core.chat.approval.DecidedApproval;
import dev.midcourse.core.chat.approval.PendingApproval;
import dev.midcourse.core.chat.autopilot.LoopChoice;
import dev.midcourse.core.chat.card.ButtonMeaning;
import dev.midcourse.core.chat.card.CardButton;
import dev.midcourse.core.chat.inbound.ChatFacts;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.inbound.QuotedMessage;
import dev.midcourse.core.chat.inbound.Sender;
import dev.midcourse.core.chat.inbound.SenderKind;
import dev.midcourse.core.chat.link.LinkCode;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.outbound.OutboundState;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.LinkedIdentity;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.chat.question.ChatQuestion;
import dev.midcourse.core.chat.question.QuestionId;
import dev.midcourse.core.chat.route.DropReason;
import dev.midcourse.core.chat.route.Gate;
import dev.midcourse.core.chat.route.GateResult;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.core.chat.route.RoutingAction;
import dev.midcourse.core.chat.route.RoutingDecision;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.ledger.chat.ChatReader;
import dev.midcourse.ledger.chat.ChatReader.RunAddress;
import dev.midcourse.ledger.chat.ChatWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** People, chats, conversations, messages and the outbox, on every store. */
abstract class ChatSuite extends StoreSuite {
  private static final Instant NOON = Instant.parse("2026-03-02T12:00:00.123456789Z");
  private static final ChannelName TELEGRAM = ChannelName.of("telegram");
  private static final WorkerName WORKER = WorkerName.of("worker-1");
  private static final ChatAddress TO = new ChatAddress(TELEGRAM, "-100", Optional.of("7"));
  private static final Chat GROUP =
      new Chat(
          ChatId.of("chat-1"),
          TELEGRAM,
          "-100",
          Optional.of("Team 🦊"),
          ChatKind.GROUP,
          true,
          UnknownSenderPolicy.REQUEST_APPROVAL,
          NOON);
  private static final Person ANN =
      new Person(PersonId.of("ann"), "Ann", Optional.of(ZoneId.of("Asia/Tokyo")), NOON);
  private static final Identity ANN_TELEGRAM = Identity.of("telegram:42");

  private void write(Consumer<ChatWriter> change) {
    ledger.write(tx -> {
      change.accept(tx.chats());
      return true;
    });
  }

  /** Each question through its own read. */
  private final ChatReader reader = OneReadPerCall.chats(() -> ledger);

  private static InboundMessage message(String id, String update) {
    return new InboundMessage(
        new MessageRef(TELEGRAM, "-100", id),
        Optional.of("7"),
        update,
        InboundKind.MESSAGE,
        new Sender(Optional.of(ANN_TELEGRAM), "Ann", SenderKind.PERSON),
        new ChatFacts(ChatKind.GROUP, true, Optional.of("Team 🦊")),
        "@bot hello \"<é>\"",
        "hello \"<é>\"",
        true,
        Optional.of(new QuotedMessage("1", true, Optional.of("bot"), Optional.of("what is new?"))),
        List.of(),
        NOON);
  }

  private static RoutingDecision decision() {
    return new RoutingDecision(
        List.of(new GateResult(Gate.CHAT, false, Optional.of(WORKER), "not wired")),
        List.of(new RoutingAction.Drop(DropReason.CHAT_NOT_WIRED)));
  }

  private RoutedMessage stored(String id, String update) {
    return ledger.write(tx ->
        tx.chats().store(message(id, update), Optional.empty(), NOON.plusSeconds(1), decision()));
  }

  private static Conversation conversation(String id, Optional<String> thread) {
    return new Conversation(
        ConversationId.of(id),
        new ConversationKey(WORKER, Optional.of(GROUP.id()), thread),
        Optional.empty(),
        false,
        NOON);
  }

  private static OutboundMessage outbound(String id, long number, int rank) {
    return OutboundMessage.queued(
        OutboundId.of(id),
        number,
        TO,
        new OutboundContent.Text("text " + id, Optional.of("5")),
        rank,
        Optional.of("slot"),
        Optional.empty(),
        NOON);
  }

  // People

  @Test
  void a_person_is_found_by_each_linked_identity() {
    write(chats -> {
      chats.put(ANN);
      chats.put(new LinkedIdentity(ANN_TELEGRAM, ANN.id(), "ann42", NOON));
      chats.put(new LinkedIdentity(Identity.of("email:ann@example.org"), ANN.id(), "Ann", NOON));
    });
    reopen();

    assertThat(reader.personOf(ANN_TELEGRAM)).hasValue(ANN);
    assertThat(reader.personOf(Identity.of("email:ann@example.org"))).hasValue(ANN);
    assertThat(reader.personOf(Identity.of("telegram:43"))).isEmpty();
    assertThat(reader.identities(ANN.id())).hasSize(2);
  }

  @Test
  void an_identity_belongs_to_one_person_and_moves() {
    Person bob = new Person(PersonId.of("bob"), "Bob", Optional.empty(), NOON);
    write(chats -> {
      chats.put(ANN);
      chats.put(bob);
      chats.put(new LinkedIdentity(ANN_TELEGRAM, ANN.id(), "ann42", NOON));
      chats.put(new LinkedIdentity(ANN_TELEGRAM, bob.id(), "ann42", NOON));
    });

    assertThat(reader.personOf(ANN_TELEGRAM)).hasValue(bob);
    assertThat(reader.identities(ANN.id())).isEmpty();
  }

  /** Seen to fail when the key of a grant has no value for all workers. */
  @Test
  void t123_the_same_grant_for_all_workers_is_stored_once() {
    RoleGrant owner =
        new RoleGrant(ANN.id(), PersonRole.OWNER, Optional.empty(), Optional.empty(), NOON);
    RoleGrant member =
        new RoleGrant(
            ANN.id(), PersonRole.MEMBER, Optional.of(WORKER), Optional.of(ANN.id()), NOON);
    write(chats -> {
      chats.put(ANN);
      chats.put(owner);
      chats.put(owner);
      chats.put(member);
    });
    assertThat(reader.roles(ANN.id())).containsExactlyInAnyOrder(owner, member);

    write(chats -> chats.revoke(ANN.id(), PersonRole.OWNER, Optional.empty()));
    assertThat(reader.roles()).containsExactly(member);
  }

  @Test
  void a_deleted_person_has_no_identity_role_or_direct_chat_left() {
    write(chats -> {
      chats.put(ANN);
      chats.put(new LinkedIdentity(ANN_TELEGRAM, ANN.id(), "ann42", NOON));
      chats.put(
          new RoleGrant(ANN.id(), PersonRole.OWNER, Optional.empty(), Optional.empty(), NOON));
      chats.putDirectChat(ANN_TELEGRAM, "42");
    });
    assertThat(reader.directChats(ANN.id()))
        .containsExactly(new ChatAddress(TELEGRAM, "42", Optional.empty()));
    write(chats -> chats.deletePerson(ANN.id()));

    assertThat(reader.personOf(ANN_TELEGRAM)).isEmpty();
    assertThat(reader.roles()).isEmpty();
    assertThat(reader.directChats(ANN.id())).isEmpty();
  }

  @Test
  void a_link_code_is_stored_by_its_digest_only() {
    LinkCode code = LinkCode.issue("secret-code", ANN.id(), NOON);
    write(chats -> {
      chats.put(ANN);
      chats.put(code);
    });
    assertThat(reader.linkCodes()).containsExactly(code);
    assertThat(code.digest()).doesNotContain("secret");
    write(chats -> chats.deleteLinkCode(code));

    assertThat(reader.linkCodes()).isEmpty();
  }

  // Chats

  @Test
  void the_wirings_of_a_chat_come_by_priority_then_by_age() {
    Wiring old = Wiring.withDefaults(WiringId.of("w1"), GROUP, WorkerName.of("w-old"), NOON);
    Wiring young =
        Wiring.withDefaults(WiringId.of("w2"), GROUP, WorkerName.of("w-new"), NOON.plusSeconds(1));
    Wiring first = prioritised(Wiring.withDefaults(WiringId.of("w3"), GROUP, WORKER, NOON), 5);
    write(chats -> {
      chats.put(GROUP);
      chats.put(young);
      chats.put(old);
      chats.put(first);
    });
    reopen();

    assertThat(reader.chat(TELEGRAM, "-100")).hasValue(GROUP);
    assertThat(reader.wirings(GROUP.id())).containsExactly(first, old, young);
  }

  private static Wiring prioritised(Wiring it, int priority) {
    return new Wiring(
        it.id(),
        it.chat(),
        it.worker(),
        it.engagement(),
        it.senderScope(),
        it.ignored(),
        it.sessionMode(),
        priority,
        it.onLiveRun(),
        it.debounce(),
        it.createdAt());
  }

  @Test
  void a_chat_and_a_worker_have_one_wiring() {
    write(chats -> {
      chats.put(GROUP);
      chats.put(Wiring.withDefaults(WiringId.of("w1"), GROUP, WORKER, NOON));
    });

    assertThatThrownBy(() ->
            write(chats -> chats.put(Wiring.withDefaults(WiringId.of("w2"), GROUP, WORKER, NOON))))
        .isInstanceOf(RuntimeException.class);
    assertThat(reader.wirings()).hasSize(1);
  }

  @Test
  void conversations_of_a_whole_chat_and_of_a_thread_are_different_ones() {
    Conversation whole = conversation("conv-1", Optional.empty());
    Conversation thread = conversation("conv-2", Optional.of("7"));
    write(chats -> {
      chats.put(GROUP);
      chats.put(whole);
      chats.put(thread);
    });

    assertThat(reader.conversation(whole.key())).hasValue(whole);
    assertThat(reader.conversation(thread.key())).hasValue(thread);
    assertThatThrownBy(() -> write(c -> c.put(conversation("conv-3", Optional.empty()))))
        .isInstanceOf(RuntimeException.class);
  }

  @Test
  void a_deleted_chat_takes_its_wirings_conversations_and_requests_but_not_its_messages() {
    RoutedMessage kept = stored("10", "u10");
    write(chats -> {
      chats.put(GROUP);
      chats.put(Wiring.withDefaults(WiringId.of("w1"), GROUP, WORKER, NOON));
      chats.put(conversation("conv-1", Optional.empty()));
      chats.put(unknownSender("r1"));
    });
    write(chats -> chats.deleteChat(GROUP.id()));

    assertThat(reader.wirings()).isEmpty();
    assertThat(reader.conversations(10)).isEmpty();
    assertThat(reader.approvals()).isEmpty();
    assertThat(reader.message(kept.number())).hasValue(kept);
  }

  // Messages

  @Test
  void a_message_is_stored_whole_with_its_decision() {
    RoutedMessage stored = stored("10", "u10");
    reopen();

    assertThat(reader.message(stored.number())).hasValue(stored);
    assertThat(reader.message(stored.message().ref())).hasValue(stored);
    assertThat(reader.isSeen(TELEGRAM, "u10")).isTrue();
    assertThat(reader.isSeen(ChannelName.of("slack"), "u10")).isFalse();
  }

  @Test
  void an_update_cannot_be_stored_twice_and_the_second_task_changes_nothing() {
    stored("10", "u10");

    assertThatThrownBy(() -> stored("11", "u10")).isInstanceOf(RuntimeException.class);
    assertThat(reader.messages(Optional.empty(), Optional.empty(), 10)).hasSize(1);
    assertThat(stored("12", "u12").number()).isEqualTo(2);
  }

  @Test
  void the_first_version_of_a_message_is_the_one_that_is_found() {
    RoutedMessage first = stored("10", "u10");
    stored("10", "u11");

    assertThat(reader.message(first.message().ref())).hasValue(first);
  }

  @Test
  void a_replaced_decision_is_read_back() {
    RoutedMessage stored = stored("10", "u10");
    RoutingDecision next =
        stored
            .decision()
            .then(
                new RoutingDecision(
                    List.of(),
                    List.of(
                        new RoutingAction.SteerRun(
                            new ConversationKey(WORKER, Optional.empty(), Optional.empty()),
                            any.run().id(),
                            SteerMode.FOLLOW_UP,
                            3))));
    write(chats -> chats.replaceDecision(stored.number(), next));

    assertThat(reader.message(stored.number()).map(RoutedMessage::decision)).hasValue(next);
  }

  @Test
  void context_and_debounced_messages_wait_apart_and_in_order() {
    Conversation conversation = conversation("conv-1", Optional.empty());
    write(chats -> {
      chats.put(GROUP);
      chats.put(conversation);
    });
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      numbers.add(stored("m" + i, "u" + i).number());
    }
    write(chats -> {
      numbers.subList(0, 4).forEach(number -> chats.accumulate(number, conversation.id()));
      chats.debounce(numbers.get(4), conversation.id());
    });

    assertThat(reader.accumulated(conversation.id(), 3))
        .extracting(RoutedMessage::number)
        .containsExactly(numbers.get(1), numbers.get(2), numbers.get(3));
    assertThat(reader.debounced(conversation.id()))
        .extracting(RoutedMessage::number)
        .containsExactly(numbers.get(4));
    assertThat(reader.debouncing()).containsExactly(conversation.id());
    assertThat(reader.waitingIn(numbers.get(0))).containsExactly(conversation.id());

    write(chats -> chats.forgetContext(conversation.id(), numbers.get(2)));
    assertThat(reader.accumulated(conversation.id(), 10)).hasSize(1);
    write(chats -> chats.takeContext(conversation.id(), List.of(numbers.get(3), numbers.get(4))));
    assertThat(reader.accumulated(conversation.id(), 10)).isEmpty();
    assertThat(reader.debouncing()).isEmpty();
  }

  @Test
  void a_message_is_connected_with_its_runs_and_steers() {
    Conversation conversation = conversation("conv-1", Optional.empty());
    Run run = stored();
    Steer steer = any.steer(run.id(), 1);
    MessageRef ref = message("10", "u10").ref();
    RunAddress address = new RunAddress(conversation.id(), TO, Optional.of("10"));
    ledger.write(tx -> {
      tx.put(steer);
      tx.chats().put(GROUP);
      tx.chats().put(conversation);
      tx.chats().connect(ref, run.id(), Optional.of(steer.id()));
      tx.chats().putRun(run.id(), address);
      return tx;
    });
    reopen();

    assertThat(reader.runsOf(ref)).containsExactly(run.id());
    assertThat(reader.steersOf(ref)).containsExactly(steer.id());
    assertThat(reader.messagesOf(steer.id())).containsExactly(ref);
    assertThat(reader.addressOf(run.id())).hasValue(address);
    assertThat(reader.conversationOf(run.id())).hasValue(conversation);
  }

  @Test
  void the_messages_of_people_that_opened_a_run_are_found_without_its_steers_and_our_answers() {
    Run run = stored();
    Steer steer = any.steer(run.id(), 1);
    MessageRef ours = message("99", "u99").ref();
    ledger.write(tx -> {
      tx.put(steer);
      tx.chats().put(GROUP);
      for (String id : List.of("11", "10", "12")) {
        tx.chats().store(message(id, "u" + id), Optional.empty(), NOON, decision());
      }
      tx.chats().connect(message("10", "u10").ref(), run.id(), Optional.empty());
      tx.chats().connect(message("11", "u11").ref(), run.id(), Optional.empty());
      tx.chats().connect(message("12", "u12").ref(), run.id(), Optional.of(steer.id()));
      tx.chats().connect(ours, run.id(), Optional.empty());
      return tx;
    });
    reopen();

    assertThat(reader.messagesOf(run.id()))
        .containsExactly(message("11", "u11").ref(), message("10", "u10").ref());
  }

  @Test
  void a_chat_with_a_new_id_keeps_its_wirings_answers_and_unsent_messages() {
    Run run = stored();
    write(chats -> {
      chats.put(ANN);
      chats.put(new LinkedIdentity(ANN_TELEGRAM, ANN.id(), "ann42", NOON));
      chats.putDirectChat(ANN_TELEGRAM, "-100");
      chats.put(GROUP);
      chats.put(Wiring.withDefaults(WiringId.of("wiring-1"), GROUP, WORKER, NOON));
      chats.put(conversation("talk", Optional.empty()));
      chats.putRun(run.id(), new RunAddress(ConversationId.of("talk"), TO, Optional.of("5")));
      chats.put(outbound("waits", 1, 0));
      chats.put(outbound("sent", 2, 0).sent("p1", NOON));
      chats.moveChat(TELEGRAM, "-100", "-200");
    });
    reopen();

    assertThat(reader.chat(TELEGRAM, "-100")).isEmpty();
    Chat moved = reader.chat(TELEGRAM, "-200").orElseThrow();
    assertThat(moved.id()).isEqualTo(GROUP.id());
    assertThat(reader.wirings(moved.id())).hasSize(1);
    assertThat(reader.addressOf(run.id()).orElseThrow().to().chat()).isEqualTo("-200");
    assertThat(reader.outbound(OutboundId.of("waits")).orElseThrow().to().chat()).isEqualTo("-200");
    assertThat(reader.outbound(OutboundId.of("sent")).orElseThrow().to().chat()).isEqualTo("-100");
    assertThat(reader.directChats(ANN.id()).getFirst().chat()).isEqualTo("-200");
  }

  // Requests, cards, questions

  private static PendingApproval.UnknownSender unknownSender(String id) {
    return new PendingApproval.UnknownSender(
        ApprovalId.of(id),
        GROUP.id(),
        ANN_TELEGRAM,
        "Ann",
        message("10", "u10"),
        Optional.empty(),
        NOON,
        NOON.plusSeconds(60));
  }

  @Test
  void one_request_is_pending_for_a_chat_and_sender() {
    write(chats -> {
      chats.put(GROUP);
      chats.put(unknownSender("r1"));
    });

    assertThat(reader.senderApproval(GROUP.id(), ANN_TELEGRAM)).hasValue(unknownSender("r1"));
    assertThatThrownBy(() -> write(chats -> chats.put(unknownSender("r2"))))
        .isInstanceOf(RuntimeException.class);
  }

  @Test
  void a_decided_request_is_not_pending_and_says_who_decided() {
    DecidedApproval decided = new DecidedApproval(ApprovalId.of("r1"), "Ann may talk", "Bob", NOON);
    write(chats -> {
      chats.put(GROUP);
      chats.put(unknownSender("r1"));
      chats.decide(decided);
    });

    assertThat(reader.approvals()).isEmpty();
    assertThat(reader.decidedApproval(ApprovalId.of("r1"))).hasValue(decided);
  }

  @Test
  void each_meaning_of_a_button_is_read_back() {
    ApprovalId request = ApprovalId.of("r1");
    List<ButtonMeaning> meanings =
        List.of(
            new ButtonMeaning.AllowSender(request),
            new ButtonMeaning.WireTo(request, WORKER),
            new ButtonMeaning.NameWorker(request),
            new ButtonMeaning.Deny(request),
            new ButtonMeaning.AnswerAsk(any.run().id(), "ask-1", true),
            new ButtonMeaning.DirectLoop(LoopId.of("fix-1"), LoopChoice.SKIP, "0123456"));
    for (int i = 0; i < meanings.size(); i++) {
      CardButton button =
          new CardButton("button-" + i, OutboundId.of("card-1"), meanings.get(i), NOON);
      write(chats -> chats.put(button));
      assertThat(reader.button(button.id())).hasValue(button);
    }

    assertThat(reader.cardsOf(request)).containsExactly(OutboundId.of("card-1"));
  }

  @Test
  void a_question_is_found_by_its_buttons_and_keeps_its_answer() {
    Run run = stored();
    ChatQuestion question =
        new ChatQuestion(
            QuestionId.of("q1"),
            run.id(),
            WORKER,
            Optional.of(ANN_TELEGRAM),
            TO,
            OutboundId.of("card-1"),
            "Deploy",
            "Deploy now?",
            List.of(new Button("b-yes", "Yes"), new Button("b-no", "No")),
            NOON,
            NOON.plusSeconds(60),
            Optional.empty());
    write(chats -> chats.put(question));
    assertThat(reader.questionOfButton("b-no")).hasValue(question);
    ChatQuestion answered = question.withAnswer(new ChatQuestion.Answer("Yes", "Ann", NOON));
    write(chats -> chats.put(answered));

    assertThat(reader.question(question.id())).hasValue(answered);
    assertThat(reader.questionOfCard(OutboundId.of("card-1"))).hasValue(answered);
    assertThat(reader.questions(run.id())).containsExactly(answered);
  }

  // Outbox

  @Test
  void the_next_message_of_each_chat_is_due_by_rank_then_number() {
    write(chats -> {
      chats.put(outbound("progress", 1, OutboundMessage.RANK_PROGRESS));
      chats.put(outbound("first", 2, OutboundMessage.RANK_ANSWER));
      chats.put(outbound("second", 3, OutboundMessage.RANK_ANSWER));
    });

    assertThat(due()).containsExactly("first");
    write(chats -> chats.put(outbound("first", 2, OutboundMessage.RANK_ANSWER).sending()));
    assertThat(due()).isEmpty();
    write(chats ->
        chats.put(outbound("first", 2, OutboundMessage.RANK_ANSWER).sending().sent("99", NOON)));
    assertThat(due()).containsExactly("second");
  }

  @Test
  void every_chat_of_a_channel_has_one_due_message_in_the_order_of_all() {
    write(chats -> {
      chats.put(outboundTo(TELEGRAM, "b", 1, OutboundMessage.RANK_PROGRESS));
      chats.put(outboundTo(TELEGRAM, "c", 2, OutboundMessage.RANK_ANSWER));
      chats.put(outboundTo(TELEGRAM, "a", 3, OutboundMessage.RANK_ANSWER));
      chats.put(outboundTo(TELEGRAM, "c", 4, OutboundMessage.RANK_ANSWER));
      chats.put(outboundTo(TELEGRAM, "busy", 5, OutboundMessage.RANK_ANSWER).sending());
      chats.put(outboundTo(TELEGRAM, "busy", 6, OutboundMessage.RANK_ANSWER - 1));
      chats.put(outboundTo(TELEGRAM, "sent", 7, 0).sending().sent("p7", NOON));
      chats.put(outboundTo(ChannelName.of("slack"), "a", 8, OutboundMessage.RANK_ANSWER));
      chats.put(outboundTo(ChannelName.of("slack"), "busy", 9, 0).sending());
    });

    assertThat(due()).containsExactly("c-2", "a-3", "b-1");
    assertThat(reader.due(TELEGRAM, NOON, 2))
        .extracting(it -> it.id().value())
        .containsExactly("c-2", "a-3");
    assertThat(reader.due(ChannelName.of("slack"), NOON, 10))
        .extracting(it -> it.id().value())
        .containsExactly("a-8");
    assertThat(reader.due(ChannelName.of("mail"), NOON, 10)).isEmpty();
  }

  private static OutboundMessage outboundTo(
      ChannelName channel, String chat, long number, int rank) {
    return OutboundMessage.queued(
        OutboundId.of(chat + "-" + number),
        number,
        new ChatAddress(channel, chat, Optional.empty()),
        new OutboundContent.Text("text", Optional.empty()),
        rank,
        Optional.empty(),
        Optional.empty(),
        NOON);
  }

  @Test
  void a_message_that_must_wait_keeps_those_behind_it_waiting() {
    Instant later = NOON.plusSeconds(10);
    write(chats -> {
      chats.put(outbound("first", 1, 0).waiting(later, "rate limit"));
      chats.put(outbound("second", 2, 0));
    });

    assertThat(due()).isEmpty();
    assertThat(reader.nextDue(TELEGRAM, NOON)).hasValue(later);
    assertThat(reader.due(TELEGRAM, later, 10))
        .extracting(it -> it.id().value())
        .containsExactly("first");
  }

  @Test
  void further_parts_of_a_message_go_before_everything_else_that_waits() {
    write(chats -> chats.put(outbound("long", 1, 0).sending()));
    write(chats -> chats.put(outbound("next", 2, 0)));
    write(chats -> chats.put(outbound("long-2", 3, -1)));
    assertThat(due()).isEmpty();
    write(chats -> chats.put(outbound("long", 1, 0).sending().sent("p1", NOON)));
    assertThat(due()).containsExactly("long-2");
  }

  @Test
  void a_channel_is_open_while_a_message_of_it_waits_or_is_being_sent() {
    assertThat(reader.openChannels()).isEmpty();
    write(chats -> chats.put(outbound("one", 1, 0)));
    assertThat(reader.openChannels()).containsExactly(TELEGRAM);
    write(chats -> chats.put(outbound("one", 1, 0).sending()));
    assertThat(reader.openChannels()).containsExactly(TELEGRAM);
    write(chats -> chats.put(outbound("one", 1, 0).sending().sent("p1", NOON)));
    assertThat(reader.openChannels()).isEmpty();
  }

  private List<String> due() {
    return reader.due(TELEGRAM, NOON, 10).stream().map(it -> it.id().value()).toList();
  }

  @Test
  void the_newest_message_of_a_slot_is_the_one_that_waits_or_was_sent() {
    write(chats -> {
      chats.put(outbound("one", 1, 0).sending().sent("5", NOON));
      chats.put(outbound("two", 2, 0).superseded());
    });

    assertThat(reader.newestInSlot(TO, "slot").map(it -> it.id().value())).hasValue("one");
    assertThat(reader.newestInSlot(TO, "other")).isEmpty();
  }

  @Test
  void a_message_of_the_outbox_is_found_by_the_id_that_its_platform_gave() {
    write(chats -> {
      chats.put(outbound("one", 1, 0).sending().sent("5", NOON));
      chats.put(outbound("edit-of-one", 2, 0).sending().sent("5", NOON));
      chats.put(outbound("waits", 3, 0));
    });

    assertThat(reader.outboundNamed(TELEGRAM, "5").map(it -> it.id().value())).hasValue("one");
    assertThat(reader.outboundNamed(TELEGRAM, "6")).isEmpty();
    assertThat(reader.outboundNamed(ChannelName.of("other"), "5")).isEmpty();
  }

  @Test
  void each_content_of_the_outbox_is_read_back() {
    List<OutboundContent> contents =
        List.of(
            new OutboundContent.Text("**hi** é", Optional.empty()),
            new OutboundContent.Edit(OutboundId.of("o1"), "new"),
            new OutboundContent.Reaction("5", MessageStatus.QUEUED, Optional.of("Queued")),
            new OutboundContent.Card("t", "m", List.of(new Button("b", "Yes"))),
            new OutboundContent.CloseCard(OutboundId.of("o1"), "closed"),
            new OutboundContent.File("a/b.txt", "b.txt", Optional.of("see")));
    for (OutboundContent content : contents) {
      OutboundMessage message = outbound("out", 1, 0).with(content);
      write(chats -> chats.put(message));
      assertThat(reader.outbound(message.id())).hasValue(message);
    }
  }

  @Test
  void pruning_deletes_old_messages_and_leaves_open_ones_of_the_outbox() {
    stored("10", "u10");
    write(chats -> {
      chats.put(outbound("waits", 1, 0));
      chats.put(outbound("sent", 2, 0).sending().sent("9", NOON));
    });
    int pruned = ledger.write(tx -> tx.chats().pruneMessages(NOON.plusSeconds(3600)));

    assertThat(pruned).isEqualTo(2);
    assertThat(reader.outbox(ALL_STATES, Optional.empty(), 10))
        .extracting(it -> it.id().value())
        .containsExactly("waits");
    assertThat(reader.messages(Optional.empty(), Optional.empty(), 10)).isEmpty();
  }

  private static final Set<OutboundState> ALL_STATES = EnumSet.allOf(OutboundState.class);

  @Test
  void a_task_that_fails_gives_its_numbers_back() {
    assertThatThrownBy(() ->
            write(chats -> {
              chats.store(message("10", "u10"), Optional.empty(), NOON, decision());
              throw new IllegalStateException("broken");
            }))
        .hasMessage("broken");

    assertThat(stored("11", "u11").number()).isEqualTo(1);
  }
}
