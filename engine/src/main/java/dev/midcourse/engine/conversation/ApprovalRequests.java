package dev.midcourse.engine.conversation;

import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatId;
import dev.midcourse.core.chat.UnknownSenderPolicy;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.approval.ApprovalId;
import dev.midcourse.core.chat.approval.ApproverOrder;
import dev.midcourse.core.chat.approval.PendingApproval;
import dev.midcourse.core.chat.card.ButtonMeaning;
import dev.midcourse.core.chat.card.CardButton;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundContent.Card;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.outbound.TextSplitter;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.text.MarkdownEscape;
import dev.midcourse.core.text.VisibleText;
import dev.midcourse.engine.conversation.context.ChatText;
import dev.midcourse.engine.conversation.context.ConversationContext;
import dev.midcourse.engine.conversation.context.WorkerPlans;
import dev.midcourse.engine.outbox.OutboxWriter;
import dev.midcourse.ledger.chat.ChatWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Stores requests to let a sender or a chat in, and sends the card to somebody who may decide, as
 * part of a transaction. Without anybody who can be reached the request is stored all the same, so
 * that {@code midcourse next} shows it.
 */
final class ApprovalRequests {
  private static final int APPROVAL_ID_LENGTH = 5;
  private static final int BUTTON_ID_LENGTH = 20;
  private static final int MAX_EXCERPT = 200;
  private static final String TOO_LONG =
      "This request is too long for a message here. Read the whole with midcourse approvals or on"
          + " the page, and decide there.";

  private final ConversationContext context;
  private final ChatWriter chats;
  private final OutboxWriter outbox;
  private final CommitEffects effects;
  private final WorkerPlans plans;
  private final Instant now;

  ApprovalRequests(
      ConversationContext context,
      ChatWriter chats,
      OutboxWriter outbox,
      CommitEffects effects,
      WorkerPlans plans,
      Instant now) {
    this.context = context;
    this.chats = chats;
    this.outbox = outbox;
    this.effects = effects;
    this.plans = plans;
    this.now = now;
  }

  /** The sender is not known in a wired chat. */
  void requestForSender(InboundMessage message) {
    Chat chat = chats.chat(message.ref().channel(), message.ref().chat()).orElseThrow();
    Identity sender = message.sender().identity().orElseThrow();
    List<WorkerName> workers = chats.wirings(chat.id()).stream().map(Wiring::worker).toList();
    Optional<Approver> approver = approver(workers, message);
    PendingApproval.UnknownSender request =
        new PendingApproval.UnknownSender(
            newApprovalId(),
            chat.id(),
            sender,
            message.sender().name(),
            message,
            approver.map(Approver::person),
            now,
            now.plus(context.settings().approvalLifetime()));
    chats.put(request);
    effects.approvals.add(request);
    tellWaiting(message, ChatText.UNKNOWN_SENDER);
    Map<String, ButtonMeaning> choices = new LinkedHashMap<>();
    choices.put("Allow", new ButtonMeaning.AllowSender(request.id()));
    choices.put("Deny", new ButtonMeaning.Deny(request.id()));
    approver.ifPresent(to ->
        send(
            to,
            "New sender",
            who(message)
                + " wants to talk to "
                + names(workers)
                + " in "
                + visible(chat.title())
                + "."
                + excerpt(message)
                + hint("/approve " + request.id(), request.id()),
            choices));
  }

  /** The chat has no worker. The newest message replaces the stored one; there is one card. */
  void requestForChat(InboundMessage message) {
    Chat chat = ensureChat(chats, context, message, now);
    Optional<PendingApproval.UnknownChat> pending = chats.chatApproval(chat.id());
    if (pending.isPresent()) {
      PendingApproval.UnknownChat before = pending.get();
      chats.put(
          new PendingApproval.UnknownChat(
              before.id(),
              before.chat(),
              message.sender().identity(),
              message.sender().name(),
              message,
              before.approver(),
              before.createdAt(),
              before.expiresAt()));
      react(outbox, before.original(), MessageStatus.NOT_DELIVERED);
      react(outbox, message, MessageStatus.QUEUED);
      return;
    }
    Optional<Approver> approver = approver(List.of(), message);
    PendingApproval.UnknownChat request =
        new PendingApproval.UnknownChat(
            newApprovalId(),
            chat.id(),
            message.sender().identity(),
            message.sender().name(),
            message,
            approver.map(Approver::person),
            now,
            now.plus(context.settings().approvalLifetime()));
    chats.put(request);
    effects.approvals.add(request);
    tellWaiting(message, ChatText.UNKNOWN_CHAT);
    Map<String, ButtonMeaning> choices = new LinkedHashMap<>();
    plans
        .wireable()
        .forEach(
            worker -> choices.put(worker.value(), new ButtonMeaning.WireTo(request.id(), worker)));
    if (plans.hasTemplate()) {
      choices.put("Create new", new ButtonMeaning.NameWorker(request.id()));
    }
    choices.put("Ignore", new ButtonMeaning.Deny(request.id()));
    approver.ifPresent(to ->
        send(
            to,
            "New chat",
            who(message)
                + " writes in "
                + visible(chat.title())
                + " on "
                + chat.channel()
                + ". Which worker shall answer there?"
                + excerpt(message)
                + hint("/approve " + request.id() + " WORKER", request.id()),
            choices));
  }

  /**
   * The sender is told once for a request; later messages of a pending request are not answered.
   */
  private void tellWaiting(InboundMessage message, ChatText text) {
    react(outbox, message, MessageStatus.QUEUED);
    outbox.text(
        MessageActions.addressOf(message),
        context.texts().of(text),
        Optional.of(message.ref().message()),
        Optional.empty());
  }

  static void react(OutboxWriter outbox, InboundMessage message, MessageStatus status) {
    outbox.reaction(
        MessageActions.addressOf(message),
        message.ref().message(),
        status,
        Optional.empty(),
        Optional.empty());
  }

  /** The chat of the message; a chat that is not known is stored with the default policy. */
  static Chat ensureChat(
      ChatWriter chats, ConversationContext context, InboundMessage message, Instant now) {
    return chats
        .chat(message.ref().channel(), message.ref().chat())
        .orElseGet(() -> {
          Chat made =
              new Chat(
                  ChatId.of(context.newId()),
                  message.ref().channel(),
                  message.ref().chat(),
                  message.chat().name(),
                  message.chat().kind(),
                  message.chat().threads(),
                  UnknownSenderPolicy.REQUEST_APPROVAL,
                  now);
          chats.put(made);
          return made;
        });
  }

  private record Approver(PersonId person, ChatAddress at) {}

  /** The first in the order of authority who can be reached, best in the channel of the message. */
  private Optional<Approver> approver(List<WorkerName> workers, InboundMessage message) {
    List<Approver> reachable = new ArrayList<>();
    for (PersonId person : ApproverOrder.of(chats.roles(), workers)) {
      chats.directChats(person).forEach(chat -> reachable.add(new Approver(person, chat)));
    }
    return reachable.stream()
        .filter(it -> it.at().channel().equals(message.ref().channel()))
        .findFirst()
        .or(() -> reachable.stream().findFirst());
  }

  private void send(Approver to, String title, String text, Map<String, ButtonMeaning> choices) {
    sendCard(
        outbox, chats, context, to.at(), title, text, choices, TOO_LONG, Optional.empty(), now);
  }

  /**
   * Puts a card with these buttons into the outbox and stores their meanings.
   *
   * @param ifTooLong where to read the whole and to decide, if the channel cannot show the whole
   */
  static OutboundId sendCard(
      OutboxWriter outbox,
      ChatWriter chats,
      ConversationContext context,
      ChatAddress to,
      String title,
      String text,
      Map<String, ButtonMeaning> choices,
      String ifTooLong,
      Optional<RunId> run,
      Instant now) {
    Map<String, ButtonMeaning> byButton = new LinkedHashMap<>();
    List<Button> buttons = new ArrayList<>();
    choices.forEach((label, meaning) -> {
      String id = context.ids().token(BUTTON_ID_LENGTH);
      buttons.add(new Button(id, label));
      byButton.put(id, meaning);
    });
    OutboundId card = outbox.card(to, new Card(title, text, buttons, Optional.of(ifTooLong)), run);
    byButton.forEach((id, meaning) -> chats.put(new CardButton(id, card, meaning, now)));
    return card;
  }

  private ApprovalId newApprovalId() {
    ApprovalId drawn = ApprovalId.of(context.ids().token(APPROVAL_ID_LENGTH));
    while (chats.approval(drawn).isPresent() || chats.decidedApproval(drawn).isPresent()) {
      drawn = ApprovalId.of(context.ids().token(APPROVAL_ID_LENGTH));
    }
    return drawn;
  }

  private static String who(InboundMessage message) {
    String name = visible(message.sender().name());
    return message
        .sender()
        .identity()
        .map(identity -> name + " (" + visible(identity.toString()) + ")")
        .orElse(name);
  }

  private static String names(List<WorkerName> workers) {
    return String.join(", ", workers.stream().map(WorkerName::value).toList());
  }

  private static String excerpt(InboundMessage message) {
    return "\n\n> "
        + visible(TextSplitter.truncate(message.text(), MAX_EXCERPT)).replace("\n", "\n> ");
  }

  private static String hint(String approve, ApprovalId id) {
    return "\n\nWithout buttons: " + approve + " or /deny " + id;
  }

  /** The text of a stranger, of which nothing may look like a link or hide a part. */
  private static String visible(String text) {
    return MarkdownEscape.of(VisibleText.prose(text));
  }
}
