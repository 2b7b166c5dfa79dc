package dev.midcourse.engine.conversation;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.Conversation;
import dev.midcourse.core.chat.ConversationId;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Run;
import dev.midcourse.engine.conversation.context.ChatText;
import dev.midcourse.engine.conversation.context.ConversationContext;
import dev.midcourse.engine.conversation.context.WorkerPlans;
import dev.midcourse.engine.outbox.OutboxWriter;
import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.Transaction;
import dev.midcourse.ledger.chat.ChatWriter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Opens runs with messages that waited: for further ones, or for the end of a run that is being
 * stopped. The messages are in the ledger; the timers are set again when the hub starts.
 */
final class DebounceTimers {
  private final ConversationContext context;
  private final Consumer<CommitEffects> after;

  DebounceTimers(ConversationContext context, Consumer<CommitEffects> after) {
    this.context = context;
    this.after = after;
  }

  void armAll() {
    Instant now = context.now();
    context.ledger().read(r -> r.chats().debouncing()).forEach(it -> at(it, now));
  }

  /** The messages of the conversation wait until this time; an earlier time is replaced. */
  void at(ConversationId conversation, Instant when) {
    context.timers().at(timer(conversation), when, () -> openRun(conversation));
  }

  /** A run has ended: messages that waited for its end wait no longer. */
  void runEnded(RunId run) {
    Optional<ConversationId> waiting =
        context
            .ledger()
            .read(r ->
                r.chats()
                    .conversationOf(run)
                    .map(Conversation::id)
                    .filter(id -> !r.chats().debounced(id).isEmpty()));
    waiting.ifPresent(this::openRun);
  }

  private void openRun(ConversationId id) {
    Optional<Conversation> known = context.ledger().read(r -> r.chats().conversation(id));
    if (known.isEmpty()) {
      return;
    }
    List<Wiring> wirings =
        context
            .ledger()
            .read(r -> known.get().key().chat().map(r.chats()::wirings).orElse(List.of()));
    WorkerPlans plans =
        WorkerPlans.of(context.workers(), wirings, Optional.of(known.get().key().worker()));
    CommitEffects effects = new CommitEffects();
    context
        .ledger()
        .write(
            Priority.STEER,
            tx -> {
              openRun(tx, id, plans, effects);
              return effects;
            },
            done -> {
              after.accept(done);
              return done;
            });
  }

  private void openRun(
      Transaction tx, ConversationId id, WorkerPlans plans, CommitEffects effects) {
    ChatWriter chats = tx.chats();
    Optional<Conversation> conversation = chats.conversation(id);
    List<RoutedMessage> waiting = chats.debounced(id);
    Optional<Run> newest = conversation.flatMap(Conversation::newestRun).flatMap(tx::run);
    boolean busy = newest.filter(run -> run.state().live()).isPresent();
    if (conversation.isEmpty() || waiting.isEmpty() || busy) {
      return; // a run that is live opens them when it ends
    }
    Instant now = context.now();
    chats.takeContext(id, waiting.stream().map(RoutedMessage::number).toList());
    OutboxWriter outbox = new OutboxWriter(chats, context.ids(), now);
    try {
      Run run =
          new ConversationRuns(context, tx, plans, effects, now)
              .start(
                  conversation.get(),
                  newest,
                  waiting,
                  MessageActions.addressOf(waiting.getLast().message()));
      effects.queued = true;
      react(outbox, waiting, MessageStatus.RUNNING, Optional.empty(), Optional.of(run.id()));
    } catch (RefusedException refused) {
      String why = context.texts().of(ChatText.NOT_STARTED, refused.description());
      react(outbox, waiting, MessageStatus.NOT_DELIVERED, Optional.of(why), Optional.empty());
    }
    effects.channels.addAll(outbox.channels());
  }

  private static void react(
      OutboxWriter outbox,
      List<RoutedMessage> messages,
      MessageStatus status,
      Optional<String> text,
      Optional<RunId> run) {
    for (RoutedMessage message : messages) {
      outbox.reaction(
          MessageActions.addressOf(message.message()),
          message.message().ref().message(),
          status,
          text,
          run);
    }
  }

  private static String timer(ConversationId conversation) {
    return "debounce:" + conversation;
  }
}
