package dev.midcourse.engine.conversation;

import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.Conversation;
import dev.midcourse.core.chat.ConversationKey;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.autopilot.LoopChoice;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.inbound.QuotedMessage;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.chat.route.LiveRun;
import dev.midcourse.core.chat.route.OriginalMessage;
import dev.midcourse.core.chat.route.OriginalMessage.BecameSteer;
import dev.midcourse.core.chat.route.OriginalMessage.QueuedRun;
import dev.midcourse.core.chat.route.ReplyTarget;
import dev.midcourse.core.chat.route.ReplyTarget.RepliedRun;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.core.chat.route.RoutingContext;
import dev.midcourse.core.chat.route.SenderContext;
import dev.midcourse.core.chat.route.SenderPace;
import dev.midcourse.core.chat.route.StopWords;
import dev.midcourse.core.chat.route.WiringContext;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.engine.conversation.loop.LoopReporter;
import dev.midcourse.ledger.LedgerReader;
import dev.midcourse.ledger.chat.ChatReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads what the decision about a message depends on. It reads the ledger each time, so a change of
 * people, chats or wirings counts from the next message on.
 */
final class ContextReader {
  private static final int MAX_SEARCHED = 100;

  private final LedgerReader reading;
  private final ChatReader chats;
  private final InboundMessage message;

  ContextReader(LedgerReader reading, InboundMessage message) {
    this.reading = reading;
    this.chats = reading.chats();
    this.message = message;
  }

  /**
   * @param workers the workers to which a chat can be wired; asked only if this one has no wiring
   */
  RoutingContext read(Supplier<List<WorkerName>> workers, StopWords stopWords, SenderPace pace) {
    boolean seen = chats.isSeen(message.ref().channel(), message.updateKey());
    return context(seen, workers, stopWords, pace);
  }

  /** The context of a stored message that is decided again, because somebody was let in. */
  RoutingContext readAgain(Supplier<List<WorkerName>> workers, StopWords stopWords) {
    return context(false, workers, stopWords, SenderPace.NORMAL);
  }

  private RoutingContext context(
      boolean seen, Supplier<List<WorkerName>> workers, StopWords stopWords, SenderPace pace) {
    Optional<Chat> chat = chats.chat(message.ref().channel(), message.ref().chat());
    Optional<OriginalMessage> original = original();
    Optional<Identity> identity =
        OriginalMessage.changer(message, original.flatMap(OriginalMessage::author));
    List<Wiring> wirings = chat.map(its -> chats.wirings(its.id())).orElse(List.of());
    return new RoutingContext(
        seen,
        chat,
        wirings.stream().map(this::wiring).toList(),
        identity.map(this::sender).orElse(SenderContext.UNKNOWN),
        wirings.isEmpty() ? workers.get() : List.of(),
        chat.isPresent()
            && identity.flatMap(it -> chats.senderApproval(chat.get().id(), it)).isPresent(),
        chat.flatMap(its -> chats.chatApproval(its.id())).isPresent(),
        replyTarget(),
        original,
        stopWords,
        pace,
        CardChoice.of(chats, message));
  }

  private SenderContext sender(Identity identity) {
    return chats
        .personOf(identity)
        .map(Person::id)
        .map(person -> new SenderContext(Optional.of(person), chats.roles(person)))
        .orElse(SenderContext.UNKNOWN);
  }

  private WiringContext wiring(Wiring wiring) {
    Optional<Conversation> conversation =
        chats.conversation(ConversationKey.of(wiring, message.thread()));
    int collected = conversation.map(this::waiting).orElse(0);
    return new WiringContext(
        wiring,
        conversation.flatMap(its -> live(its, collected)),
        conversation.map(Conversation::sticky).orElse(false),
        collected > 0);
  }

  private int waiting(Conversation conversation) {
    return chats.debounced(conversation.id()).size();
  }

  private Optional<LiveRun> live(Conversation conversation, int collected) {
    return conversation
        .newestRun()
        .flatMap(reading::run)
        .filter(run -> run.state().live() && !run.stopAsked())
        .map(run ->
            new LiveRun(
                run.id(),
                chats.addressOf(run.id()).flatMap(address -> address.to().thread()),
                reading.countOpenSteers(run.id()) + collected,
                run.idle().isPresent()));
  }

  private ReplyTarget replyTarget() {
    if (message.replyTo().isEmpty()) {
      return new ReplyTarget.None();
    }
    QuotedMessage quoted = message.replyTo().get();
    MessageRef ref =
        new MessageRef(message.ref().channel(), message.ref().chat(), quoted.message());
    List<RepliedRun> runs = new ArrayList<>();
    for (RunId run : chats.runsOf(ref)) {
      chats
          .conversationOf(run)
          .ifPresent(conversation ->
              runs.add(
                  new RepliedRun(
                      run, conversation.key(), live(conversation, waiting(conversation)))));
    }
    if (!runs.isEmpty()) {
      return new ReplyTarget.OfRuns(newestOfEachWorker(runs));
    }
    return loopCard(quoted.message())
        .orElseGet(() -> quoted.ours() ? new ReplyTarget.Unknown() : new ReplyTarget.None());
  }

  /** The loop of a card of ours, if the message replies to one. */
  private Optional<ReplyTarget> loopCard(String platformId) {
    return chats.outboxOf(message.ref().channel(), message.ref().chat(), MAX_SEARCHED).stream()
        .filter(sent -> sent.platformId().equals(Optional.of(platformId)))
        .flatMap(sent -> LoopReporter.loopOf(chats, sent.content()).stream())
        .findFirst()
        .flatMap(card ->
            reading
                .loops()
                .loop(card.loop())
                .map(loop ->
                    new ReplyTarget.OfLoop(
                        loop.id(), loop.spec().worker(), card.choice() == LoopChoice.APPROVE)));
  }

  /** A message that was steered into a run and carried into the next belongs to the newest. */
  private static List<RepliedRun> newestOfEachWorker(List<RepliedRun> oldestFirst) {
    List<RepliedRun> newest = new ArrayList<>();
    for (RepliedRun run : oldestFirst) {
      newest.removeIf(other -> other.conversation().worker().equals(run.conversation().worker()));
      newest.add(run);
    }
    return newest;
  }

  private Optional<OriginalMessage> original() {
    return switch (message.kind()) {
      case MESSAGE -> Optional.empty();
      case EDIT, DELETION -> chats.message(message.ref()).map(this::original);
    };
  }

  private OriginalMessage original(RoutedMessage stored) {
    List<BecameSteer> steers =
        chats.steersOf(message.ref()).stream()
            .flatMap(id -> reading.steer(id).stream())
            .map(steer ->
                new BecameSteer(
                    steer.run(),
                    steer.id(),
                    isChangeable(steer) && chats.messagesOf(steer.id()).size() == 1))
            .toList();
    List<QueuedRun> queued = new ArrayList<>();
    for (RunId id : chats.runsOf(message.ref())) {
      Optional<Run> run = reading.run(id).filter(its -> its.state() == RunState.QUEUED);
      boolean opened =
          chats
              .addressOf(id)
              .filter(address -> address.question().equals(Optional.of(message.ref().message())))
              .isPresent();
      if (run.isPresent() && opened) {
        chats
            .conversationOf(id)
            .ifPresent(conversation -> queued.add(new QueuedRun(conversation.key(), id)));
      }
    }
    return new OriginalMessage(
        stored.number(),
        stored.message().sender().identity(),
        steers,
        queued,
        chats.waitingIn(stored.number()).stream()
            .flatMap(id -> chats.conversation(id).stream())
            .map(Conversation::key)
            .toList());
  }

  private static boolean isChangeable(Steer steer) {
    return steer.ended().isEmpty() && !steer.inConversation();
  }
}
