package dev.midcourse.ledger.sql.chat;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatId;
import dev.midcourse.core.chat.Conversation;
import dev.midcourse.core.chat.ConversationId;
import dev.midcourse.core.chat.ConversationKey;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.WiringId;
import dev.midcourse.core.chat.approval.ApprovalId;
import dev.midcourse.core.chat.approval.DecidedApproval;
import dev.midcourse.core.chat.approval.PendingApproval;
import dev.midcourse.core.chat.card.CardButton;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.link.LinkCode;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.outbound.OutboundState;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.LinkedIdentity;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.chat.question.ChatQuestion;
import dev.midcourse.core.chat.question.QuestionId;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.ledger.chat.ChatReader;
import dev.midcourse.ledger.sql.chat.WaitingMessageTable.WaitsAs;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.Subject;
import dev.midcourse.ledger.sql.table.Subject.OfChats;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Runs the queries about chats on one connection. */
public class SqlChatReader implements ChatReader {
  private final Function<Subject, SqlSession> sessions;

  /** Asks {@code sessions} for the connection that shows all earlier changes of a subject. */
  public SqlChatReader(Function<Subject, SqlSession> sessions) {
    this.sessions = sessions;
  }

  final SqlSession about(Subject subject) {
    return sessions.apply(subject);
  }

  @Override
  public Optional<Person> person(PersonId id) {
    return PersonTable.byId(about(OfChats.PEOPLE), id);
  }

  @Override
  public Optional<Person> personOf(Identity identity) {
    return PersonTable.byIdentity(about(OfChats.PEOPLE), identity);
  }

  @Override
  public List<Person> people() {
    return PersonTable.all(about(OfChats.PEOPLE));
  }

  @Override
  public List<LinkedIdentity> identities(PersonId person) {
    return IdentityTable.ofPerson(about(OfChats.PEOPLE), person);
  }

  @Override
  public List<RoleGrant> roles(PersonId person) {
    return RoleTable.ofPerson(about(OfChats.PEOPLE), person);
  }

  @Override
  public List<RoleGrant> roles() {
    return RoleTable.all(about(OfChats.PEOPLE));
  }

  @Override
  public List<ChatAddress> directChats(PersonId person) {
    return DirectChatTable.ofPerson(about(OfChats.PEOPLE), person);
  }

  @Override
  public Optional<DecidedApproval> decidedApproval(ApprovalId id) {
    return DecidedApprovalTable.byId(about(OfChats.APPROVALS), id);
  }

  @Override
  public Optional<CardButton> button(String id) {
    return CardButtonTable.byId(about(OfChats.APPROVALS), id);
  }

  @Override
  public List<OutboundId> cardsOf(ApprovalId approval) {
    return CardButtonTable.cardsOf(about(OfChats.APPROVALS), approval);
  }

  @Override
  public List<ConversationId> waitingIn(long number) {
    return WaitingMessageTable.waitingIn(about(OfChats.MESSAGES), number);
  }

  @Override
  public List<ConversationId> debouncing() {
    return WaitingMessageTable.debouncing(about(OfChats.MESSAGES));
  }

  @Override
  public List<LinkCode> linkCodes() {
    return LinkCodeTable.all(about(OfChats.PEOPLE));
  }

  @Override
  public Optional<Chat> chat(ChatId id) {
    return ChatTable.byId(about(OfChats.CHATS), id);
  }

  @Override
  public Optional<Chat> chat(ChannelName channel, String platformId) {
    return ChatTable.byPlatformId(about(OfChats.CHATS), channel, platformId);
  }

  @Override
  public List<Chat> chats() {
    return ChatTable.all(about(OfChats.CHATS));
  }

  @Override
  public Optional<Wiring> wiring(WiringId id) {
    return WiringTable.byId(about(OfChats.CHATS), id);
  }

  @Override
  public List<Wiring> wirings(ChatId chat) {
    return WiringTable.ofChat(about(OfChats.CHATS), chat);
  }

  @Override
  public List<Wiring> wirings() {
    return WiringTable.all(about(OfChats.CHATS));
  }

  @Override
  public Optional<Conversation> conversation(ConversationId id) {
    return ConversationTable.byId(about(OfChats.CONVERSATIONS), id);
  }

  @Override
  public Optional<Conversation> conversation(ConversationKey key) {
    return ConversationTable.byKey(about(OfChats.CONVERSATIONS), key);
  }

  @Override
  public List<Conversation> conversations(int limit) {
    return ConversationTable.newest(about(OfChats.CONVERSATIONS), limit);
  }

  @Override
  public Optional<Conversation> conversationOf(RunId run) {
    about(OfChats.CONNECTIONS);
    return ConversationTable.ofRun(about(OfChats.CONVERSATIONS), run);
  }

  @Override
  public Optional<RunAddress> addressOf(RunId run) {
    return RunAddressTable.byRun(about(OfChats.CONNECTIONS), run);
  }

  @Override
  public boolean isSeen(ChannelName channel, String updateKey) {
    return MessageTable.isSeen(about(OfChats.MESSAGES), channel, updateKey);
  }

  @Override
  public Optional<RoutedMessage> message(long number) {
    return MessageTable.byNumber(about(OfChats.MESSAGES), number);
  }

  @Override
  public Optional<RoutedMessage> message(MessageRef ref) {
    return MessageTable.byRef(about(OfChats.MESSAGES), ref);
  }

  @Override
  public List<RoutedMessage> messagesNamed(String platformMessage, int limit) {
    return MessageTable.named(about(OfChats.MESSAGES), platformMessage, limit);
  }

  @Override
  public List<RoutedMessage> messages(Optional<ChatId> chat, Optional<Long> before, int limit) {
    return MessageTable.newest(about(OfChats.MESSAGES), chat, before, limit);
  }

  @Override
  public List<RoutedMessage> accumulated(ConversationId conversation, int limit) {
    return WaitingMessageTable.newest(
        about(OfChats.MESSAGES), conversation, WaitsAs.CONTEXT, limit);
  }

  @Override
  public List<RoutedMessage> debounced(ConversationId conversation) {
    return WaitingMessageTable.newest(
        about(OfChats.MESSAGES), conversation, WaitsAs.DEBOUNCED, Integer.MAX_VALUE);
  }

  @Override
  public List<RunId> runsOf(MessageRef ref) {
    return MessageRunTable.runs(about(OfChats.CONNECTIONS), ref);
  }

  @Override
  public List<SteerId> steersOf(MessageRef ref) {
    return MessageRunTable.steers(about(OfChats.CONNECTIONS), ref);
  }

  @Override
  public List<MessageRef> messagesOf(RunId run) {
    about(OfChats.MESSAGES);
    return MessageRunTable.ofRun(about(OfChats.CONNECTIONS), run);
  }

  @Override
  public List<MessageRef> messagesOf(SteerId steer) {
    about(OfChats.MESSAGES);
    return MessageRunTable.ofSteer(about(OfChats.CONNECTIONS), steer);
  }

  @Override
  public Optional<PendingApproval> approval(ApprovalId id) {
    return ApprovalTable.byId(about(OfChats.APPROVALS), id);
  }

  @Override
  public Optional<PendingApproval.UnknownSender> senderApproval(ChatId chat, Identity sender) {
    return ApprovalTable.ofSender(about(OfChats.APPROVALS), chat, sender);
  }

  @Override
  public Optional<PendingApproval.UnknownChat> chatApproval(ChatId chat) {
    return ApprovalTable.ofChat(about(OfChats.APPROVALS), chat);
  }

  @Override
  public List<PendingApproval> approvals() {
    return ApprovalTable.all(about(OfChats.APPROVALS));
  }

  @Override
  public Optional<ChatQuestion> question(QuestionId id) {
    return QuestionTable.byId(about(OfChats.QUESTIONS), id);
  }

  @Override
  public Optional<ChatQuestion> questionOfButton(String button) {
    return QuestionTable.byButton(about(OfChats.QUESTIONS), button);
  }

  @Override
  public Optional<ChatQuestion> questionOfCard(OutboundId card) {
    return QuestionTable.byCard(about(OfChats.QUESTIONS), card);
  }

  @Override
  public List<ChatQuestion> questions(RunId run) {
    return QuestionTable.ofRun(about(OfChats.QUESTIONS), run);
  }

  @Override
  public List<ChatQuestion> questions(int limit) {
    return QuestionTable.newest(about(OfChats.QUESTIONS), limit);
  }

  @Override
  public Optional<OutboundMessage> outbound(OutboundId id) {
    return OutboxTable.byId(about(OfChats.OUTBOX), id);
  }

  @Override
  public Optional<OutboundMessage> outboundNamed(ChannelName channel, String platformId) {
    return OutboxTable.named(about(OfChats.OUTBOX), channel, platformId);
  }

  @Override
  public List<OutboundMessage> due(ChannelName channel, Instant now, int limit) {
    return OutboxTable.due(about(OfChats.OUTBOX), channel, now, limit);
  }

  @Override
  public List<ChannelName> openChannels() {
    return OutboxTable.openChannels(about(OfChats.OUTBOX));
  }

  @Override
  public Optional<Instant> nextDue(ChannelName channel, Instant now) {
    return OutboxTable.nextDue(about(OfChats.OUTBOX), channel, now);
  }

  @Override
  public List<OutboundMessage> outbox(Set<OutboundState> states, Optional<RunId> run, int limit) {
    return OutboxTable.newest(about(OfChats.OUTBOX), states, run, limit);
  }

  @Override
  public List<OutboundMessage> outboxOf(ChannelName channel, String chat, int limit) {
    return OutboxTable.ofChat(about(OfChats.OUTBOX), channel, chat, limit);
  }

  @Override
  public Optional<OutboundMessage> newestInSlot(ChatAddress to, String slot) {
    return OutboxTable.newestInSlot(about(OfChats.OUTBOX), to, slot);
  }
}
