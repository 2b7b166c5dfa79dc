package dev.midcourse.hub.api.chat;

import dev.midcourse.core.authority.Action;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.approval.PendingApproval;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.outbound.OutboundState;
import dev.midcourse.core.chat.outbound.UnsentMessages;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.hub.api.access.AccessControl;
import dev.midcourse.hub.api.chat.ChatRequests.MessageQuery;
import dev.midcourse.hub.api.chat.ChatViews.OneAction;
import dev.midcourse.hub.api.chat.ChatViews.OneGate;
import dev.midcourse.hub.api.chat.ChatViews.OneMessage;
import dev.midcourse.hub.api.chat.ChatViews.OneOutbound;
import dev.midcourse.hub.api.operation.HubContext;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.LedgerReader;
import dev.midcourse.ledger.chat.ChatReader;
import dev.midcourse.ledger.json.DecisionCodec;
import dev.midcourse.ledger.json.RunView;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The messages in both directions: what was decided about a message and why, what became of it, and
 * what a person does about messages that were not sent.
 */
public final class MessageOperations {
  private static final int MAX_ANSWERS = 20;

  private final HubContext context;
  private final Ledger ledger;
  private final AccessControl accessControl;
  private final ChatOperations chatOperations;
  private final Consumer<ChannelName> wakeOutbox;

  /**
   * @param wakeOutbox is called when a message of the channel waits to be sent again
   */
  public MessageOperations(
      HubContext context, ChatOperations chatOperations, Consumer<ChannelName> wakeOutbox) {
    this.context = context;
    this.ledger = context.engine().ledger();
    this.accessControl = context.permits();
    this.chatOperations = chatOperations;
    this.wakeOutbox = wakeOutbox;
  }

  /** A page of the newest messages of people. */
  ChatViews.Messages messages(Caller caller, MessageQuery query) {
    accessControl.require(caller, new Action.SeeChats());
    return ledger.read(at -> {
      ChatReader chats = at.chats();
      return page(chats, query.chat().map(named -> ChatNames.chat(chats, named)), query);
    });
  }

  /** The newest messages of a chat in both directions. */
  ChatViews.ChatLog log(Caller caller, String named, MessageQuery query) {
    accessControl.require(caller, new Action.SeeChats());
    return ledger.read(at -> {
      ChatReader chats = at.chats();
      Chat chat = ChatNames.chat(chats, named);
      ChatViews.Messages received = page(chats, Optional.of(chat), query);
      List<OneOutbound> sent =
          chats.outboxOf(chat.channel(), chat.platformId(), query.most()).stream()
              .map(OneOutbound::of)
              .toList();
      return new ChatViews.ChatLog(
          ChatOperations.view(chats, chat), received.messages(), sent, received.next());
    });
  }

  private static ChatViews.Messages page(
      ChatReader chats, Optional<Chat> chat, MessageQuery query) {
    int limit = query.most();
    List<RoutedMessage> found = chats.messages(chat.map(Chat::id), query.before(), limit + 1);
    boolean more = found.size() > limit;
    List<RoutedMessage> page = more ? found.subList(0, limit) : found;
    return new ChatViews.Messages(
        page.stream()
            .map(message -> view(message, DecisionText.shortened(message.message().text())))
            .toList(),
        more ? Optional.of(page.getLast().number()) : Optional.empty());
  }

  /** Why a message had its effect: decision, gates, runs, steers with receipts, answers. */
  ChatViews.Why why(Caller caller, String named) {
    accessControl.require(caller, new Action.SeeChats());
    return ledger.read(at -> {
      ChatReader chats = at.chats();
      RoutedMessage message = ChatNames.message(chats, named);
      InboundMessage inbound = message.message();
      Optional<Chat> chat = chats.chat(inbound.ref().channel(), inbound.ref().chat());
      List<RunId> runs = chats.runsOf(inbound.ref());
      return new ChatViews.Why(
          view(message, inbound.text()),
          chat.map(it -> ChatOperations.view(chats, it)),
          runs.stream().flatMap(run -> at.run(run).stream()).map(RunView::of).toList(),
          chats.steersOf(inbound.ref()).stream()
              .flatMap(steer -> at.steer(steer).stream())
              .map(Receipt::of)
              .toList(),
          answers(at, runs),
          chat.flatMap(it -> approval(chats, it, inbound))
              .map(approval -> chatOperations.view(chats, approval)));
    });
  }

  /** The approval that waits because of this message. */
  private static Optional<PendingApproval> approval(
      ChatReader chats, Chat chat, InboundMessage message) {
    return message
        .sender()
        .identity()
        .flatMap(sender -> chats.senderApproval(chat.id(), sender))
        .<PendingApproval>map(pending -> pending)
        .or(() -> chats.chatApproval(chat.id()))
        .filter(pending -> pending.original().ref().equals(message.ref()));
  }

  private static List<OneOutbound> answers(LedgerReader at, List<RunId> runs) {
    Set<OutboundState> all = EnumSet.allOf(OutboundState.class);
    return runs.stream()
        .flatMap(run -> at.chats().outbox(all, Optional.of(run), MAX_ANSWERS).stream())
        .sorted(Comparator.comparingLong(OutboundMessage::number))
        .map(OneOutbound::of)
        .toList();
  }

  List<OneOutbound> outbox(Caller caller, Set<OutboundState> states, int limit) {
    accessControl.require(caller, new Action.SeeChats());
    return ledger.read(at -> at.chats().outbox(states, Optional.empty(), limit)).stream()
        .map(OneOutbound::of)
        .toList();
  }

  /** A person leaves a message that was not sent as it is. */
  OneOutbound dismiss(Caller caller, String named) {
    accessControl.require(caller, new Action.ManageChats("dismiss a message"));
    return OneOutbound.of(unsent(caller, named, "dismissed", UnsentMessages::dismiss));
  }

  /** A message that was not sent is sent again. */
  OneOutbound retry(Caller caller, String named) {
    accessControl.require(caller, new Action.ManageChats("send a message again"));
    OutboundMessage queued = unsent(caller, named, "queued again", UnsentMessages::retry);
    wakeOutbox.accept(queued.to().channel());
    return OneOutbound.of(queued);
  }

  private OutboundMessage unsent(
      Caller caller, String named, String what, UnaryOperator<OutboundMessage> decision) {
    Instant now = context.clock().instant();
    return ledger.write(tx -> {
      OutboundMessage message = decision.apply(ChatNames.outbound(tx.chats(), named));
      tx.chats().put(message);
      ChangeLog.append(tx, now, caller, what + " message " + message.id() + " of the outbox");
      return message;
    });
  }

  private static OneMessage view(RoutedMessage stored, String text) {
    InboundMessage message = stored.message();
    return new OneMessage(
        stored.number(),
        message.ref().channel().value(),
        message.ref().chat(),
        message.ref().message(),
        message.thread(),
        message.kind().wire(),
        message.sender().name(),
        message.sender().identity().map(Identity::toString),
        text,
        message.mentioned(),
        message.sentAt(),
        stored.receivedAt(),
        stored.decision().gates().stream().map(OneGate::of).toList(),
        stored.decision().actions().stream()
            .map(action -> new OneAction(DecisionCodec.kindOf(action), DecisionText.of(action)))
            .toList());
  }
}
