package dev.midcourse.engine.conversation;

import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatId;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.ConversationId;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.WiringId;
import dev.midcourse.core.chat.approval.PendingApproval;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.chat.route.DropReason;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.core.chat.route.Routing;
import dev.midcourse.core.chat.route.RoutingAction;
import dev.midcourse.core.chat.route.RoutingContext;
import dev.midcourse.core.chat.route.RoutingDecision;
import dev.midcourse.core.chat.route.SenderPace;
import dev.midcourse.core.chat.route.TellReason;
import dev.midcourse.engine.conversation.context.ConversationContext;
import dev.midcourse.engine.conversation.context.WorkerPlans;
import dev.midcourse.ledger.LedgerReader;
import dev.midcourse.ledger.Transaction;
import dev.midcourse.ledger.chat.ChatWriter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Stores a message with its decision and carries the decision out, in one transaction. So a message
 * has its effects once, or is not stored.
 */
final class MessageIntake {
  private final ConversationContext context;
  private final BiConsumer<ConversationId, Instant> debouncer;
  private final Consumer<PendingApproval> expiry;
  private final SenderPaces paces;

  MessageIntake(
      ConversationContext context,
      BiConsumer<ConversationId, Instant> debouncer,
      Consumer<PendingApproval> expiry) {
    this.context = context;
    this.debouncer = debouncer;
    this.expiry = expiry;
    this.paces = new SenderPaces(context.settings().limits());
  }

  /** The decision about the message as it is now. Changes nothing. */
  RoutingDecision decide(LedgerReader reading, InboundMessage message, WorkerPlans plans) {
    return decide(reading, message, plans, SenderPace.NORMAL);
  }

  private RoutingDecision decide(
      LedgerReader reading, InboundMessage message, WorkerPlans plans, SenderPace pace) {
    RoutingContext facts =
        new ContextReader(reading, message)
            .read(plans::wireable, context.settings().stopWords(), pace);
    return Routing.decide(message, facts);
  }

  /**
   * Takes a message. An update that was stored before changes nothing.
   *
   * @param made the decision, if a part of it was carried out before the transaction
   * @return whether the message is new
   */
  boolean take(
      Transaction tx,
      InboundMessage message,
      WorkerPlans plans,
      Optional<RoutingDecision> made,
      CommitEffects effects) {
    ChatWriter chats = tx.chats();
    if (chats.isSeen(message.ref().channel(), message.updateKey())) {
      return false;
    }
    Instant now = context.now();
    rememberDirectChat(chats, message);
    SenderPace pace = paces.count(chats, message, now);
    RoutingDecision decision = made.orElseGet(() -> decide(tx, message, plans, pace));
    Optional<RoutingAction.WireChat> wiring = wiringIn(decision);
    if (wiring.isPresent()) {
      wire(chats, message, wiring.get(), now);
      decision = decision.then(asksAgain(decide(tx, message, plans)));
    }
    carryOut(tx, chats.store(message, chatOf(chats, message), now, decision), plans, effects, now);
    return true;
  }

  /** Orders about loops are carried out before a message is stored, which is too late here. */
  private static RoutingDecision asksAgain(RoutingDecision decision) {
    boolean orders =
        decision.actions().stream().anyMatch(RoutingAction.DirectLoops.class::isInstance);
    return orders
        ? new RoutingDecision(
            decision.gates(), List.of(new RoutingAction.Tell(TellReason.SEND_AGAIN)))
        : decision;
  }

  /** Stores a message that could not be handled, so that its channel does not deliver it again. */
  void storeFailed(Transaction tx, InboundMessage message) {
    ChatWriter chats = tx.chats();
    if (!chats.isSeen(message.ref().channel(), message.updateKey())) {
      RoutingDecision failed =
          new RoutingDecision(
              List.of(), List.of(new RoutingAction.Drop(DropReason.INTERNAL_ERROR)));
      chats.store(message, chatOf(chats, message), context.now(), failed);
    }
  }

  /** Decides about a stored message again, because somebody was let in. */
  void routeAgain(Transaction tx, RoutedMessage stored, WorkerPlans plans, CommitEffects effects) {
    RoutingContext facts =
        new ContextReader(tx, stored.message())
            .readAgain(plans::wireable, context.settings().stopWords());
    RoutingDecision next = Routing.decide(stored.message(), facts);
    RoutingDecision whole = stored.decision().then(next);
    tx.chats().replaceDecision(stored.number(), whole);
    RoutedMessage again =
        new RoutedMessage(stored.number(), stored.message(), stored.receivedAt(), next);
    carryOut(tx, again, plans, effects, context.now());
  }

  private void carryOut(
      Transaction tx, RoutedMessage stored, WorkerPlans plans, CommitEffects effects, Instant now) {
    new MessageActions(context, tx, plans, stored, effects, now)
        .carryOut(stored.decision().actions());
  }

  private static Optional<RoutingAction.WireChat> wiringIn(RoutingDecision decision) {
    return decision.actions().stream()
        .filter(RoutingAction.WireChat.class::isInstance)
        .map(RoutingAction.WireChat.class::cast)
        .findFirst();
  }

  private void wire(
      ChatWriter chats, InboundMessage message, RoutingAction.WireChat action, Instant now) {
    Chat chat = ApprovalRequests.ensureChat(chats, context, message, now);
    Wiring wiring = Wiring.withDefaults(WiringId.of(context.newId()), chat, action.worker(), now);
    chats.put(wiring);
  }

  private static Optional<ChatId> chatOf(ChatWriter chats, InboundMessage message) {
    return chats.chat(message.ref().channel(), message.ref().chat()).map(Chat::id);
  }

  /** A known person who writes alone to us can be reached there. */
  static void rememberDirectChat(ChatWriter chats, InboundMessage message) {
    if (message.chat().kind() != ChatKind.DIRECT || message.sender().identity().isEmpty()) {
      return;
    }
    Identity identity = message.sender().identity().get();
    Optional<Person> person = chats.personOf(identity);
    boolean known =
        person.isPresent()
            && chats.directChats(person.get().id()).stream()
                .anyMatch(it ->
                    it.channel().equals(identity.channel())
                        && it.chat().equals(message.ref().chat()));
    if (person.isPresent() && !known) {
      chats.putDirectChat(identity, message.ref().chat());
    }
  }

  /** Does what has to happen after the commit. Must be short: the writer thread may call it. */
  void after(CommitEffects effects) {
    effects.files.forEach(
        it -> context.attachments().fetch(it.run(), it.workspace(), it.message()));
    effects.steers.forEach(context.steering()::deliver);
    effects.stops.forEach(context.runs()::deliverStop);
    if (effects.queued) {
      context.runs().wake();
    }
    effects.channels.forEach(context.outbox()::wake);
    effects.debounces.forEach(debouncer);
    effects.approvals.forEach(expiry);
  }
}
