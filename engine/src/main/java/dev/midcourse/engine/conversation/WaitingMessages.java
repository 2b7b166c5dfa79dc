package dev.midcourse.engine.conversation;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.Utf8;
import dev.midcourse.core.chat.Conversation;
import dev.midcourse.core.chat.ConversationId;
import dev.midcourse.core.chat.LiveRunPolicy;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.prompt.ChatPrompts;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerIntake.IntakeDecision;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.engine.conversation.context.ChatText;
import dev.midcourse.engine.conversation.context.ConversationContext;
import dev.midcourse.engine.conversation.context.WorkerPlans;
import dev.midcourse.engine.outbox.OutboxWriter;
import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.LedgerReader;
import dev.midcourse.ledger.Transaction;
import dev.midcourse.ledger.chat.ChatReader;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Gives messages to agents that waited: for further ones, for the end of a turn, or for the end of
 * a run that is being stopped. They open a run, or they are one message to the live run. The
 * messages are in the ledger; the timers are set again when the hub starts.
 */
final class WaitingMessages {
  private final ConversationContext context;
  private final Consumer<CommitEffects> after;

  WaitingMessages(ConversationContext context, Consumer<CommitEffects> after) {
    this.context = context;
    this.after = after;
  }

  void armAll() {
    Instant now = context.now();
    context.ledger().read(r -> r.chats().debouncing()).forEach(it -> at(it, now));
  }

  /** The messages of the conversation wait until this time; an earlier time is replaced. */
  void at(ConversationId conversation, Instant when) {
    context.timers().at(timer(conversation), when, () -> give(conversation));
  }

  /** A run has ended, or its agent waits for the next message: so messages may wait no longer. */
  void runCanTakeMessages(RunId run) {
    Optional<ConversationId> waiting =
        context
            .ledger()
            .read(r ->
                r.chats()
                    .conversationOf(run)
                    .map(Conversation::id)
                    .filter(id -> !r.chats().debounced(id).isEmpty()));
    waiting.ifPresent(this::give);
  }

  private void give(ConversationId id) {
    Optional<Conversation> known =
        context.ledger().read(r -> r.chats().conversation(id).filter(it -> canGive(r, it)));
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
              tx.chats()
                  .conversation(id)
                  .filter(conversation -> canGive(tx, conversation))
                  .ifPresent(conversation -> new Giving(tx, conversation, plans, effects).give());
              return effects;
            },
            done -> {
              after.accept(done);
              return done;
            });
  }

  /**
   * Whether messages wait, and the conversation can take them now. Else the end of the turn or of
   * the run gives them.
   */
  private static boolean canGive(LedgerReader reading, Conversation conversation) {
    List<RoutedMessage> waiting = reading.chats().debounced(conversation.id());
    Optional<Run> live = newestRun(reading, conversation).filter(run -> run.state().live());
    return !waiting.isEmpty()
        && live.map(run ->
                !run.stopAsked()
                    && (takesTurn(reading, run) || !isCollecting(reading, conversation, waiting)))
            .orElse(true);
  }

  private static Optional<Run> newestRun(LedgerReader reading, Conversation conversation) {
    return conversation.newestRun().flatMap(reading::run);
  }

  /** Whether the agent waits for a message, and none is on its way. */
  private static boolean takesTurn(LedgerReader reading, Run run) {
    return run.idle().isPresent() && reading.countOpenSteers(run.id()) == 0;
  }

  /** Whether the wiring of the newest message collects what comes while the agent works. */
  private static boolean isCollecting(
      LedgerReader reading, Conversation conversation, List<RoutedMessage> waiting) {
    ChatReader chats = reading.chats();
    MessageRef ref = waiting.getLast().message().ref();
    return chats
        .chat(ref.channel(), ref.chat())
        .map(chat -> chats.wirings(chat.id()))
        .orElse(List.of())
        .stream()
        .filter(wiring -> wiring.worker().equals(conversation.key().worker()))
        .anyMatch(wiring -> wiring.onLiveRun() == LiveRunPolicy.COLLECT);
  }

  private static String timer(ConversationId conversation) {
    return "debounce:" + conversation;
  }

  /** Gives the messages that wait in one conversation, as part of one transaction. */
  private final class Giving {
    private final Transaction tx;
    private final Conversation conversation;
    private final ConversationRuns runs;
    private final CommitEffects effects;
    private final OutboxWriter outbox;
    private final Instant now = context.now();

    Giving(Transaction tx, Conversation conversation, WorkerPlans plans, CommitEffects effects) {
      this.tx = tx;
      this.conversation = conversation;
      this.runs = new ConversationRuns(context, tx, plans, effects, now);
      this.effects = effects;
      this.outbox = new OutboxWriter(tx.chats(), context.ids(), now);
    }

    void give() {
      List<RoutedMessage> waiting = tx.chats().debounced(conversation.id());
      tx.chats()
          .takeContext(conversation.id(), waiting.stream().map(RoutedMessage::number).toList());
      Optional<Run> newest = newestRun(tx, conversation);
      List<RoutedMessage> wanted = withoutStopped(newest, waiting);
      if (newest.filter(run -> run.state().live()).isPresent()) {
        steer(newest.get(), wanted);
      } else if (!wanted.isEmpty()) {
        open(newest, wanted);
      }
      effects.channels.addAll(outbox.channels());
    }

    /** What was collected for a run that somebody stopped is not wanted any more. */
    private List<RoutedMessage> withoutStopped(Optional<Run> newest, List<RoutedMessage> waiting) {
      Optional<RunId> stopped = newest.filter(run -> run.state() == RunState.STOPPED).map(Run::id);
      List<RoutedMessage> unwanted =
          waiting.stream()
              .filter(it ->
                  stopped.isPresent()
                      && tx.chats().runsOf(it.message().ref()).contains(stopped.get()))
              .toList();
      Optional<String> text = Optional.of(context.texts().of(ChatText.STOPPED));
      react(unwanted, MessageStatus.STOPPED, text, Optional.empty());
      return waiting.stream().filter(it -> !unwanted.contains(it)).toList();
    }

    private void open(Optional<Run> continued, List<RoutedMessage> messages) {
      try {
        Run run =
            runs.start(
                conversation,
                continued,
                messages,
                MessageActions.addressOf(messages.getLast().message()));
        effects.queued = true;
        react(messages, MessageStatus.RUNNING, Optional.empty(), Optional.of(run.id()));
      } catch (RefusedException refused) {
        refuse(messages, ChatText.NOT_STARTED, refused.description());
      }
    }

    /** One steer for all messages; several only if they are too long for one. */
    private void steer(Run live, List<RoutedMessage> messages) {
      boolean opensTurn = takesTurn(tx, live);
      List<RoutedMessage> whole = opensTurn ? runs.withContext(conversation, messages) : messages;
      Set<RoutedMessage> asked = new HashSet<>(messages);
      for (List<RoutedMessage> part : parts(whole)) {
        List<RoutedMessage> ours = part.stream().filter(asked::contains).toList();
        steer(live, part, ours, opensTurn);
      }
    }

    private void steer(
        Run live, List<RoutedMessage> part, List<RoutedMessage> ours, boolean opensTurn) {
      try {
        SteerRequest request =
            SteerRequest.steer(SteerText.of(ChatPrompts.messages(part, zone(part))))
                .withMode(SteerMode.FOLLOW_UP);
        switch (context
            .steering()
            .store(
                tx,
                live.id(),
                ConversationContext.author(part.getLast().message().sender()),
                request,
                now)) {
          case IntakeDecision.Store(Steer steer, var _) -> {
            effects.steers.add(steer);
            effects.addFiles(live, part);
            for (RoutedMessage message : ours) {
              tx.chats().connect(message.message().ref(), live.id(), Optional.of(steer.id()));
            }
            MessageStatus status = opensTurn ? MessageStatus.RUNNING : MessageStatus.QUEUED;
            react(ours, status, Optional.empty(), Optional.of(live.id()));
          }
          case IntakeDecision.Repeat _ -> {}
          case IntakeDecision.Refuse(var problem) ->
              refuse(ours, ChatText.NOT_DELIVERED, problem.message());
        }
      } catch (RefusedException refused) {
        refuse(ours, ChatText.NOT_DELIVERED, refused.description());
      }
    }

    /** The messages in their order, in as few parts as fit into a steer each. */
    private List<List<RoutedMessage>> parts(List<RoutedMessage> messages) {
      List<List<RoutedMessage>> parts = new ArrayList<>();
      List<RoutedMessage> part = new ArrayList<>();
      for (RoutedMessage message : messages) {
        part.add(message);
        boolean fits =
            !Utf8.longerThan(ChatPrompts.messages(part, zone(part)), SteerText.MAX_BYTES);
        if (!fits && part.size() > 1) {
          parts.add(List.copyOf(part.subList(0, part.size() - 1)));
          part = new ArrayList<>(List.of(message));
        }
      }
      if (!part.isEmpty()) {
        parts.add(List.copyOf(part));
      }
      return parts;
    }

    private ZoneId zone(List<RoutedMessage> messages) {
      return context.zoneOf(tx.chats(), messages.getLast().message().sender());
    }

    private void refuse(List<RoutedMessage> messages, ChatText text, String why) {
      Optional<String> reason = Optional.of(context.texts().of(text, why));
      react(messages, MessageStatus.NOT_DELIVERED, reason, Optional.empty());
    }

    private void react(
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
  }
}
