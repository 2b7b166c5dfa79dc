package dev.midcourse.ledger.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatId;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.EngageMode;
import dev.midcourse.core.chat.EngagePattern;
import dev.midcourse.core.chat.Engagement;
import dev.midcourse.core.chat.IgnoredMessagePolicy;
import dev.midcourse.core.chat.LiveRunPolicy;
import dev.midcourse.core.chat.SenderScope;
import dev.midcourse.core.chat.SessionMode;
import dev.midcourse.core.chat.UnknownSenderPolicy;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.WiringId;
import dev.midcourse.core.chat.approval.ApprovalId;
import dev.midcourse.core.chat.approval.PendingApproval;
import dev.midcourse.core.chat.inbound.ChatFacts;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.inbound.Sender;
import dev.midcourse.core.chat.inbound.SenderKind;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.LinkedIdentity;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.chat.route.DropReason;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.core.chat.route.RoutingAction;
import dev.midcourse.core.chat.route.RoutingDecision;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.json.JsonInput;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What scripts of earlier chat assistants find in the views of chats, on every store. */
abstract class ChatViewsSuite extends StoreSuite {
  private static final Instant NOON = Instant.parse("2026-03-02T12:00:00.123456789Z");
  private static final ChannelName TELEGRAM = ChannelName.of("telegram");
  private static final ChatId FAMILY = ChatId.of("family");
  private static final ChatId ADA_DIRECT = ChatId.of("ada-dm");
  private static final PersonId ADA = PersonId.of("ada");
  private static final PersonId BOB = PersonId.of("bob");

  @BeforeEach
  void a_group_a_direct_chat_and_two_people() {
    ledger.write(tx -> {
      tx.chats().put(new Person(ADA, "Ada", Optional.empty(), NOON));
      tx.chats().put(new Person(BOB, "Bob", Optional.empty(), NOON));
      tx.chats().put(new LinkedIdentity(Identity.of("telegram:42"), ADA, "Ada", NOON));
      tx.chats().put(new LinkedIdentity(Identity.of("telegram:7"), BOB, "Bob", NOON));
      tx.chats().put(new LinkedIdentity(Identity.of("slack:U7"), BOB, "Bob", NOON.plusSeconds(1)));
      tx.chats()
          .put(new RoleGrant(ADA, PersonRole.OWNER, Optional.empty(), Optional.empty(), NOON));
      tx.chats()
          .put(
              new RoleGrant(
                  BOB,
                  PersonRole.MEMBER,
                  Optional.of(WorkerName.of("andy")),
                  Optional.of(ADA),
                  NOON));
      tx.chats().put(chat(FAMILY, "-100", ChatKind.GROUP));
      tx.chats().put(chat(ADA_DIRECT, "42", ChatKind.DIRECT));
      tx.chats()
          .put(
              wiring(
                  "w1",
                  "andy",
                  new Engagement(EngageMode.MENTION_STICKY, Optional.empty()),
                  SessionMode.PER_THREAD,
                  1));
      tx.chats()
          .put(
              wiring(
                  "w2",
                  "eve",
                  new Engagement(EngageMode.PATTERN, Optional.of(EngagePattern.of("^eve"))),
                  SessionMode.PER_WORKER,
                  5));
      tx.chats()
          .put(
              new PendingApproval.UnknownSender(
                  ApprovalId.of("a1"),
                  FAMILY,
                  Identity.of("telegram:99"),
                  "Mallory",
                  message("m1", "hello \"there\""),
                  Optional.of(ADA),
                  NOON,
                  NOON.plusSeconds(600)));
      tx.chats()
          .put(
              new PendingApproval.UnknownChat(
                  ApprovalId.of("a2"),
                  ADA_DIRECT,
                  Optional.empty(),
                  "Mallory",
                  message("m2", "hi"),
                  Optional.empty(),
                  NOON,
                  NOON.plusSeconds(600)));
      return true;
    });
  }

  @Test
  void messaging_groups_has_the_chats() {
    assertThat(place.ask("SELECT name FROM messaging_groups ORDER BY id"))
        .containsExactly("Chat 42", "Chat -100");
    assertThat(row("messaging_groups WHERE id = 'family'", "channel_type", "platform_id"))
        .containsExactly("telegram", "-100");
    assertThat(row("messaging_groups WHERE id = 'family'", "unknown_sender_policy", "created_at"))
        .containsExactly("request_approval", "2026-03-02T12:00:00.123Z");
    assertThat(place.ask("SELECT is_group FROM messaging_groups ORDER BY id"))
        .containsExactly("0", "1");
    assertThat(place.ask("SELECT denied_at FROM messaging_groups")).containsOnly("null");
  }

  @Test
  void messaging_group_agents_has_the_wirings_in_the_spelling_of_scripts() {
    String first = "messaging_group_agents WHERE id = 'w1'";
    assertThat(row(first, "messaging_group_id", "agent_group_id", "engage_mode", "engage_pattern"))
        .containsExactly("family", "andy", "mention-sticky", "null");
    assertThat(row(first, "sender_scope", "ignored_message_policy", "session_mode", "priority"))
        .containsExactly("known", "accumulate", "per-thread", "1");
    String second = "messaging_group_agents WHERE id = 'w2'";
    assertThat(row(second, "engage_mode", "engage_pattern", "session_mode", "created_at"))
        .containsExactly("pattern", "^eve", "agent-shared", "2026-03-02T12:00:00.123Z");
  }

  @Test
  void agent_group_members_has_each_account_of_a_member() {
    assertThat(
            place.ask(
                "SELECT user_id FROM agent_group_members WHERE agent_group_id = 'andy'"
                    + " ORDER BY user_id"))
        .containsExactly("slack:U7", "telegram:7");
    assertThat(place.ask("SELECT added_by FROM agent_group_members")).containsOnly("telegram:42");
    assertThat(place.ask("SELECT added_at FROM agent_group_members"))
        .containsOnly("2026-03-02T12:00:00.123Z");
  }

  @Test
  void pending_sender_approvals_has_the_message_as_an_event() {
    String from = "pending_sender_approvals";
    assertThat(row(from, "id", "messaging_group_id", "agent_group_id", "sender_identity"))
        .containsExactly("a1", "family", "eve", "telegram:99");
    assertThat(row(from, "sender_name", "approver_user_id", "created_at", "title"))
        .containsExactly("Mallory", "telegram:42", "2026-03-02T12:00:00.123Z", "null");
    JsonValue.Obj event =
        (JsonValue.Obj) JsonInput.parse(row(from, "original_message").getFirst()).orElseThrow();
    assertThat(event.string("channelType")).contains("telegram");
    assertThat(event.string("platformId")).contains("-100");
    JsonValue.Obj inner = event.object("message");
    assertThat(inner.string("id")).contains("m1");
    assertThat(inner.string("timestamp")).contains("2026-03-02T12:00:00.123456789Z");
    assertThat(inner.object("content").string("text")).contains("hello \"there\"");
    assertThat(inner.object("content").string("senderId")).contains("telegram:99");
  }

  @Test
  void pending_channel_approvals_has_the_chats_that_wait_for_a_worker() {
    String from = "pending_channel_approvals";
    assertThat(row(from, "id", "messaging_group_id", "agent_group_id", "sender_identity"))
        .containsExactly("a2", "ada-dm", "null", "null");
    assertThat(row(from, "sender_name", "approver_user_id", "created_at", "options_json"))
        .containsExactly("Mallory", "null", "2026-03-02T12:00:00.123Z", "null");
    assertThat(row(from, "original_message").getFirst()).contains("\"hi\"");
  }

  /** What the programs of earlier assistants asked these tables, by their columns. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT mg.id FROM messaging_groups mg JOIN messaging_group_agents mga"
            + " ON mga.messaging_group_id = mg.id WHERE mg.channel_type = 'telegram'"
            + " AND mg.platform_id = '-100' AND mga.engage_mode = 'mention-sticky'",
        "SELECT messaging_group_id FROM messaging_group_agents"
            + " WHERE agent_group_id = 'eve' ORDER BY priority DESC LIMIT 1",
        "SELECT messaging_group_id FROM pending_sender_approvals"
            + " WHERE messaging_group_id = 'family' AND sender_identity = 'telegram:99'"
      })
  void the_questions_that_scripts_ask_find_the_chat(String question) {
    assertThat(place.ask(question)).containsExactly("family");
  }

  @Test
  void a_message_is_found_by_the_id_of_its_platform() {
    RoutingDecision dropped =
        new RoutingDecision(List.of(), List.of(new RoutingAction.Drop(DropReason.NOT_ENGAGED)));
    RoutedMessage first =
        ledger.write(tx -> tx.chats().store(message("m1", "a"), Optional.empty(), NOON, dropped));
    ledger.write(tx -> tx.chats().store(message("m2", "b"), Optional.empty(), NOON, dropped));
    assertThat(ledger.<List<RoutedMessage>>read(at -> at.chats().messagesNamed("m1", 5)))
        .extracting(RoutedMessage::number)
        .containsExactly(first.number());
  }

  private List<String> row(String from, String... columns) {
    return List.of(columns).stream()
        .map(column -> place.ask("SELECT " + column + " FROM " + from).getFirst())
        .toList();
  }

  private static Chat chat(ChatId id, String platformId, ChatKind kind) {
    return new Chat(
        id,
        TELEGRAM,
        platformId,
        Optional.of("Chat " + platformId),
        kind,
        false,
        UnknownSenderPolicy.REQUEST_APPROVAL,
        NOON);
  }

  private static Wiring wiring(
      String id, String worker, Engagement engagement, SessionMode session, int priority) {
    return new Wiring(
        WiringId.of(id),
        FAMILY,
        WorkerName.of(worker),
        engagement,
        SenderScope.KNOWN,
        IgnoredMessagePolicy.ACCUMULATE,
        session,
        priority,
        LiveRunPolicy.STEER,
        Duration.ZERO,
        NOON);
  }

  private static InboundMessage message(String id, String text) {
    return new InboundMessage(
        new MessageRef(TELEGRAM, "-100", id),
        Optional.empty(),
        "update-" + id,
        InboundKind.MESSAGE,
        new Sender(Optional.of(Identity.of("telegram:99")), "Mallory", SenderKind.PERSON),
        new ChatFacts(ChatKind.GROUP, false, Optional.empty()),
        text,
        text,
        true,
        Optional.empty(),
        List.of(),
        NOON);
  }
}
