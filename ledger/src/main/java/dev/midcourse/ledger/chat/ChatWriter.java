package dev.midcourse.ledger.chat;

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
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The changes of people, chats, conversations, messages and the outbox, in one transaction. */
public interface ChatWriter extends ChatReader {
  /** Inserts or replaces the person. */
  void put(Person person);

  /** Links an identity; one that belongs to another person is moved. */
  void put(LinkedIdentity identity);

  void unlink(Identity identity);

  /** Deletes a person with identities and roles. */
  void deletePerson(PersonId person);

  /** Grants a role; the same grant again changes nothing. */
  void put(RoleGrant grant);

  /** Takes a role back. */
  void revoke(PersonId person, PersonRole role, Optional<WorkerName> worker);

  /** Inserts or replaces the chat. */
  void put(Chat chat);

  /** Deletes a chat with its wirings, pending approvals and conversations. Messages stay. */
  void deleteChat(ChatId chat);

  /**
   * The platform gave a chat another id: the chat with its wirings and conversations, the answers
   * of its runs and its unsent messages move there. No chat may have the new id.
   */
  void moveChat(ChannelName channel, String oldChat, String newChat);

  /** Inserts or replaces the wiring. */
  void put(Wiring wiring);

  void deleteWiring(WiringId wiring);

  /** Inserts or replaces the conversation. */
  void put(Conversation conversation);

  /** Connects a run with its conversation and with the address of its answers. */
  void putRun(RunId run, RunAddress address);

  /**
   * Stores a message with its decision and gives it the next number. The update must not have been
   * stored before.
   */
  RoutedMessage store(
      InboundMessage message, Optional<ChatId> chat, Instant receivedAt, RoutingDecision decision);

  /** Replaces the decision about a message, for example after an approval. */
  void replaceDecision(long number, RoutingDecision decision);

  /** The message is context of the conversation until {@link #takeContext} takes it. */
  void accumulate(long number, ConversationId conversation);

  /** The message waits for the end of the debounce of the conversation. */
  void debounce(long number, ConversationId conversation);

  /** The messages with these numbers have gone into a prompt and wait no longer. */
  void takeContext(ConversationId conversation, List<Long> numbers);

  /** Everything that waits as context of the conversation up to this number waits no longer. */
  void forgetContext(ConversationId conversation, long upTo);

  /** A message of the platform belongs to a run, and is a steer of it if there is one. */
  void connect(MessageRef ref, RunId run, Optional<SteerId> steer);

  /** Inserts or replaces the pending approval. */
  void put(PendingApproval approval);

  void deleteApproval(ApprovalId approval);

  /**
   * Inserts or replaces the code with this digest; {@link #pruneMessages} deletes expired codes.
   */
  void put(LinkCode code);

  void deleteLinkCode(LinkCode code);

  /** Inserts or replaces the question; {@link #pruneMessages} deletes old ones. */
  void put(ChatQuestion question);

  /** Inserts the button of a card; {@link #pruneMessages} deletes old ones. */
  void put(CardButton button);

  /** Deletes the request and remembers how it was decided. */
  void decide(DecidedApproval decided);

  /** The identity can be reached alone in this chat. The identity must be linked. */
  void putDirectChat(Identity identity, String platformChat);

  /** Gives the number that the next message of the outbox gets. */
  long nextOutboundNumber();

  /** Inserts or replaces the message of the outbox. */
  void put(OutboundMessage message);

  /** Deletes stored messages and sent messages that are older. Returns how many. */
  int pruneMessages(Instant before);
}
