package dev.midcourse.ledger.chat;

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
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The queries about people, chats, conversations, messages and the outbox. */
public interface ChatReader {
  Optional<Person> person(PersonId id);

  /** The person to whom the identity belongs. */
  Optional<Person> personOf(Identity identity);

  List<Person> people();

  List<LinkedIdentity> identities(PersonId person);

  List<RoleGrant> roles(PersonId person);

  /** Every grant of every person, oldest first. */
  List<RoleGrant> roles();

  Optional<Chat> chat(ChatId id);

  Optional<Chat> chat(ChannelName channel, String platformId);

  List<Chat> chats();

  Optional<Wiring> wiring(WiringId id);

  /** The wirings of a chat: highest priority first, then oldest first. */
  List<Wiring> wirings(ChatId chat);

  List<Wiring> wirings();

  Optional<Conversation> conversation(ConversationId id);

  Optional<Conversation> conversation(ConversationKey key);

  /** The newest conversations, newest first. */
  List<Conversation> conversations(int limit);

  /** The conversation to which a run belongs. */
  Optional<Conversation> conversationOf(RunId run);

  /** The address to which the answers of a run go, and the message that the run answers. */
  Optional<RunAddress> addressOf(RunId run);

  /** Whether the channel has delivered this update before. */
  boolean isSeen(ChannelName channel, String updateKey);

  Optional<RoutedMessage> message(long number);

  /** The first stored version of a message. */
  Optional<RoutedMessage> message(MessageRef ref);

  /** The messages that a platform gave this id, in any chat; newest first. */
  List<RoutedMessage> messagesNamed(String platformMessage, int limit);

  /** The newest messages, of one chat or of all; newest first. */
  List<RoutedMessage> messages(Optional<ChatId> chat, Optional<Long> before, int limit);

  /** The newest messages that wait as context of a conversation, oldest first. */
  List<RoutedMessage> accumulated(ConversationId conversation, int limit);

  /** The conversations in which this message waits, as context or for the end of a debounce. */
  List<ConversationId> waitingIn(long number);

  /** The conversations that have messages waiting for the end of the debounce. */
  List<ConversationId> debouncing();

  /**
   * The messages of a conversation that wait for the end of its debounce, or to be given together
   * after a turn; oldest first.
   */
  List<RoutedMessage> debounced(ConversationId conversation);

  /**
   * The runs to which a message of the platform belongs, oldest first. One of ours belongs to one
   * run; one of a person belongs to a run of each worker that engaged.
   */
  List<RunId> runsOf(MessageRef ref);

  /** The steers that a message has become, one for each worker that engaged; oldest first. */
  List<SteerId> steersOf(MessageRef ref);

  /**
   * The messages of people that belong to the run and have become no steer: those that opened or
   * stopped it, and those that were collected for it. Oldest first.
   */
  List<MessageRef> messagesOf(RunId run);

  /** The messages of people that have become this steer together, oldest first; mostly one. */
  List<MessageRef> messagesOf(SteerId steer);

  Optional<PendingApproval> approval(ApprovalId id);

  Optional<PendingApproval.UnknownSender> senderApproval(ChatId chat, Identity sender);

  Optional<PendingApproval.UnknownChat> chatApproval(ChatId chat);

  /** All pending approvals, oldest first. */
  List<PendingApproval> approvals();

  /** How a request was decided that is not pending any more. */
  Optional<DecidedApproval> decidedApproval(ApprovalId id);

  /** The button with this random id. */
  Optional<CardButton> button(String id);

  /** The cards that were sent to decide a request. */
  List<OutboundId> cardsOf(ApprovalId approval);

  /** The direct chats of the person, one for each identity that has written alone to us. */
  List<ChatAddress> directChats(PersonId person);

  /** The codes that link accounts, also expired ones. */
  List<LinkCode> linkCodes();

  Optional<ChatQuestion> question(QuestionId id);

  /** The question to which the button belongs. */
  Optional<ChatQuestion> questionOfButton(String button);

  /** The question of this card. */
  Optional<ChatQuestion> questionOfCard(OutboundId card);

  /** The questions of a run, oldest first. */
  List<ChatQuestion> questions(RunId run);

  /** The newest questions of all runs, newest first. */
  List<ChatQuestion> questions(int limit);

  Optional<OutboundMessage> outbound(OutboundId id);

  /**
   * The message of the outbox to which the platform of this channel gave this id. Edits and
   * reactions may have it too; the message itself is older.
   */
  Optional<OutboundMessage> outboundNamed(ChannelName channel, String platformId);

  /**
   * The next message of each chat, if it is due, in the order in which they are to be sent. A chat
   * is left out while one of its messages is being sent or its next one must wait.
   */
  List<OutboundMessage> due(ChannelName channel, Instant now, int limit);

  /** The channels for which a message waits or is being sent. */
  List<ChannelName> openChannels();

  /** When the next queued message of the channel is due that is not due yet. */
  Optional<Instant> nextDue(ChannelName channel, Instant now);

  /** The newest messages of the outbox in these states, newest first. */
  List<OutboundMessage> outbox(Set<OutboundState> states, Optional<RunId> run, int limit);

  /** The newest messages of the outbox for one chat with all its threads, newest first. */
  List<OutboundMessage> outboxOf(ChannelName channel, String chat, int limit);

  /** The newest message of the chat with this slot that was sent or waits. */
  Optional<OutboundMessage> newestInSlot(ChatAddress to, String slot);

  /**
   * Where the answers of a run go.
   *
   * @param question the message that the run answers
   */
  record RunAddress(ConversationId conversation, ChatAddress to, Optional<String> question) {}
}
