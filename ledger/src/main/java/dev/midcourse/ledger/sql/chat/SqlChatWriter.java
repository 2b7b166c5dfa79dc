package dev.midcourse.ledger.sql.chat;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatId;
import dev.midcourse.core.chat.Conversation;
import dev.midcourse.core.chat.ConversationId;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.WiringId;
import dev.midcourse.core.chat.approval.ApprovalId;
import dev.midcourse.core.chat.approval.DecidedApproval;
import dev.midcourse.core.chat.approval.PendingApproval;
import dev.midcourse.core.chat.card.CardButton;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.link.LinkCode;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.LinkedIdentity;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.chat.question.ChatQuestion;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.core.chat.route.RoutingDecision;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.ledger.chat.ChatWriter;
import dev.midcourse.ledger.sql.chat.WaitingMessageTable.WaitsAs;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import dev.midcourse.ledger.sql.table.Subject;
import dev.midcourse.ledger.sql.table.Subject.OfChats;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Records the changes of chats in one transaction. */
public final class SqlChatWriter extends SqlChatReader implements ChatWriter {
  private static final int MAX_PRUNED_PER_STEP = 1_000;

  private static final String COUNTER = "SELECT value FROM counters WHERE name = ?";

  private static final String COUNT = "UPDATE counters SET value = ? WHERE name = ?";

  private final ChatChanges changes;

  /** The part of a transaction that the writer uses. */
  public interface ChatChanges {
    /** The connection for a query about the subject; it shows all earlier changes of it. */
    SqlSession session(Subject subject);

    /** Takes the next changes, which concern these subjects. */
    ChangeRecorder recorder(Subject... subjects);

    /**
     * Sends all changes until now, and returns the connection for changes that are sent at once.
     */
    SqlSession direct();
  }

  public SqlChatWriter(ChatChanges changes) {
    super(changes::session);
    this.changes = changes;
  }

  @Override
  public void put(Person person) {
    PersonTable.put(changes.recorder(OfChats.PEOPLE), person);
  }

  @Override
  public void put(LinkedIdentity identity) {
    IdentityTable.put(changes.recorder(OfChats.PEOPLE), identity);
  }

  @Override
  public void unlink(Identity identity) {
    IdentityTable.delete(changes.recorder(OfChats.PEOPLE), identity);
  }

  @Override
  public void deletePerson(PersonId person) {
    PersonTable.delete(changes.recorder(OfChats.PEOPLE), person);
  }

  @Override
  public void put(RoleGrant grant) {
    RoleTable.put(changes.recorder(OfChats.PEOPLE), grant);
  }

  @Override
  public void revoke(PersonId person, PersonRole role, Optional<WorkerName> worker) {
    RoleTable.delete(changes.recorder(OfChats.PEOPLE), person, role, worker);
  }

  @Override
  public void put(LinkCode code) {
    LinkCodeTable.put(changes.recorder(OfChats.PEOPLE), code);
  }

  @Override
  public void deleteLinkCode(LinkCode code) {
    LinkCodeTable.delete(changes.recorder(OfChats.PEOPLE), code);
  }

  @Override
  public void put(Chat chat) {
    ChatTable.put(changes.recorder(OfChats.CHATS), chat);
  }

  /** The store deletes what belongs to the chat. */
  @Override
  public void deleteChat(ChatId chat) {
    ChatTable.delete(
        changes.recorder(
            OfChats.CHATS,
            OfChats.CONVERSATIONS,
            OfChats.MESSAGES,
            OfChats.CONNECTIONS,
            OfChats.APPROVALS),
        chat);
  }

  @Override
  public void moveChat(ChannelName channel, String oldChat, String newChat) {
    SqlSession on = changes.direct();
    ChatTable.move(on, channel, oldChat, newChat);
    RunAddressTable.moveChat(on, channel, oldChat, newChat);
    OutboxTable.moveChat(on, channel, oldChat, newChat);
    DirectChatTable.move(on, channel, oldChat, newChat);
  }

  @Override
  public void put(Wiring wiring) {
    WiringTable.put(changes.recorder(OfChats.CHATS), wiring);
  }

  @Override
  public void deleteWiring(WiringId wiring) {
    WiringTable.delete(changes.recorder(OfChats.CHATS), wiring);
  }

  @Override
  public void put(Conversation conversation) {
    ConversationTable.put(changes.recorder(OfChats.CONVERSATIONS), conversation);
  }

  @Override
  public void putRun(RunId run, RunAddress address) {
    RunAddressTable.put(changes.recorder(OfChats.CONNECTIONS), run, address);
  }

  @Override
  public RoutedMessage store(
      InboundMessage message, Optional<ChatId> chat, Instant receivedAt, RoutingDecision decision) {
    RoutedMessage stored =
        new RoutedMessage(
            nextNumber("chat_message", OfChats.MESSAGES), message, receivedAt, decision);
    MessageTable.insert(changes.recorder(OfChats.MESSAGES), stored, chat);
    return stored;
  }

  @Override
  public void replaceDecision(long number, RoutingDecision decision) {
    MessageTable.replaceDecision(changes.recorder(OfChats.MESSAGES), number, decision);
  }

  @Override
  public void accumulate(long number, ConversationId conversation) {
    WaitingMessageTable.put(
        changes.recorder(OfChats.MESSAGES), conversation, WaitsAs.CONTEXT, number);
  }

  @Override
  public void debounce(long number, ConversationId conversation) {
    WaitingMessageTable.put(
        changes.recorder(OfChats.MESSAGES), conversation, WaitsAs.DEBOUNCED, number);
  }

  @Override
  public void takeContext(ConversationId conversation, List<Long> numbers) {
    ChangeRecorder recorder = changes.recorder(OfChats.MESSAGES);
    numbers.forEach(number -> WaitingMessageTable.take(recorder, conversation, number));
  }

  @Override
  public void forgetContext(ConversationId conversation, long upTo) {
    WaitingMessageTable.forgetContext(changes.recorder(OfChats.MESSAGES), conversation, upTo);
  }

  @Override
  public void connect(MessageRef ref, RunId run, Optional<SteerId> steer) {
    MessageRunTable.put(changes.recorder(OfChats.CONNECTIONS), ref, run, steer);
  }

  @Override
  public void put(PendingApproval approval) {
    ApprovalTable.put(changes.recorder(OfChats.APPROVALS), approval);
  }

  @Override
  public void deleteApproval(ApprovalId approval) {
    ApprovalTable.delete(changes.recorder(OfChats.APPROVALS), approval);
  }

  @Override
  public void decide(DecidedApproval decided) {
    ChangeRecorder recorder = changes.recorder(OfChats.APPROVALS);
    ApprovalTable.delete(recorder, decided.id());
    DecidedApprovalTable.put(recorder, decided);
  }

  @Override
  public void put(CardButton button) {
    CardButtonTable.put(changes.recorder(OfChats.APPROVALS), button);
  }

  @Override
  public void putDirectChat(Identity identity, String platformChat) {
    DirectChatTable.put(changes.recorder(OfChats.PEOPLE), identity, platformChat);
  }

  @Override
  public void put(ChatQuestion question) {
    QuestionTable.put(changes.recorder(OfChats.QUESTIONS), question);
  }

  @Override
  public void put(OutboundMessage message) {
    OutboxTable.put(changes.recorder(OfChats.OUTBOX), message);
  }

  @Override
  public long nextOutboundNumber() {
    return nextNumber("outbox", OfChats.OUTBOX);
  }

  /** Deletes a limited number of rows of each table, so that no message waits long behind it. */
  @Override
  public int pruneMessages(Instant before) {
    SqlSession on = changes.direct();
    LinkCodeTable.prune(on, before);
    CardButtonTable.prune(on, before);
    DecidedApprovalTable.prune(on, before);
    return MessageTable.prune(on, before, MAX_PRUNED_PER_STEP)
        + OutboxTable.prune(on, before, MAX_PRUNED_PER_STEP)
        + QuestionTable.prune(on, before, MAX_PRUNED_PER_STEP);
  }

  /** The increment is a change like any other: it is undone if this task fails. */
  private long nextNumber(String counter, OfChats subject) {
    long next = about(subject).number(COUNTER, counter) + 1;
    changes.recorder(subject).add(COUNT, next, counter);
    return next;
  }
}
