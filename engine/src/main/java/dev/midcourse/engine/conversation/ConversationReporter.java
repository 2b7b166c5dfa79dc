package dev.midcourse.engine.conversation;

import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.RunId;
import dev.midcourse.engine.conversation.context.ConversationContext;
import dev.midcourse.engine.follow.LogFollower;
import dev.midcourse.engine.outbox.OutboxWriter;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.Transaction;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Follows the log and puts into the outbox what the people of a conversation see of its runs:
 * answers, progress, reactions on their messages, requests for permission.
 *
 * <p>The position in the log is stored in the transaction that puts the messages. So each entry has
 * its effect once, whenever a hub dies, and also when several hubs follow one log.
 */
final class ConversationReporter implements AutoCloseable {
  private static final String CURSOR = "conversations.cursor";
  private static final long MAX_UNSTORED = 10_000;

  /**
   * So that the events of many runs share a transaction; what people see is late by this at most.
   */
  private static final Duration REST = Duration.ofMillis(10);

  private static final Log.Filter NEWS =
      Log.Filter.of(
          RunEvent.Progressed.class,
          RunEvent.TurnEnded.class,
          RunEvent.SteerRaised.class,
          RunEvent.SteerEnded.class,
          RunEvent.Asked.class,
          RunEvent.AskAnswered.class,
          RunEvent.AskClosed.class,
          RunEvent.AttemptLost.class,
          RunEvent.Idle.class,
          RunEvent.RunEnded.class);

  private final ConversationContext context;
  private final Consumer<RunId> canTakeMessages;
  private final LogFollower follower;
  private long stored;

  /**
   * @param canTakeMessages told of each run that has ended or whose agent waits for a message, when
   *     its answers are in the outbox
   */
  ConversationReporter(ConversationContext context, Consumer<RunId> canTakeMessages) {
    this.context = context;
    this.canTakeMessages = canTakeMessages;
    this.stored = position(context.ledger());
    this.follower =
        new LogFollower(
            "conversations",
            context.ledger().log(),
            NEWS,
            stored,
            new LogFollower.Reader() {
              @Override
              public void read(List<Log.LogEntry> news) {
                report(news);
              }

              @Override
              public Duration rest() {
                return REST;
              }
            });
  }

  /**
   * The stored position. The first hub stores the end of the log before it takes a message: else
   * the next one would begin at its own end of the log, and what happened between would be lost.
   */
  private static long position(Ledger ledger) {
    Optional<Long> known = ledger.read(r -> r.setting(CURSOR)).map(Long::parseLong);
    if (known.isPresent()) {
      return known.get();
    }
    long newest = ledger.log().newest();
    return ledger.write(tx -> {
      Optional<Long> other = tx.setting(CURSOR).map(Long::parseLong);
      if (other.isEmpty()) {
        tx.putSetting(CURSOR, Long.toString(newest));
      }
      return other.orElse(newest);
    });
  }

  void start() {
    follower.start();
  }

  @Override
  public void close() {
    follower.close();
  }

  private void report(List<Log.LogEntry> news) {
    if (news.isEmpty()) {
      return;
    }
    List<Log.LogEntry> ours =
        context
            .ledger()
            .read(r ->
                news.stream()
                    .filter(entry -> RunReport.isVisible(entry.event()))
                    .filter(entry -> r.chats().addressOf(entry.run()).isPresent())
                    .toList());
    long last = news.getLast().cursor();
    if (ours.isEmpty() && last - stored < MAX_UNSTORED) {
      return;
    }
    CommitEffects effects = new CommitEffects();
    Set<RunId> free = new LinkedHashSet<>();
    context
        .ledger()
        .write(
            Priority.LAZY,
            tx -> {
              report(tx, ours, last, effects, free);
              return effects;
            },
            done -> {
              done.channels.forEach(context.outbox()::wake);
              return done;
            });
    stored = last;
    free.forEach(canTakeMessages);
  }

  private void report(
      Transaction tx,
      List<Log.LogEntry> entries,
      long last,
      CommitEffects effects,
      Set<RunId> free) {
    long done = tx.setting(CURSOR).map(Long::parseLong).orElse(0L);
    OutboxWriter outbox = new OutboxWriter(tx.chats(), context.ids(), context.now());
    RunReport report = new RunReport(context, tx, outbox);
    for (Log.LogEntry entry : entries) {
      if (entry.cursor() > done) {
        report.add(entry);
      }
      if (entry.event() instanceof RunEvent.RunEnded || entry.event() instanceof RunEvent.Idle) {
        free.add(entry.run());
      }
    }
    if (last > done) {
      tx.putSetting(CURSOR, Long.toString(last));
    }
    effects.channels.addAll(outbox.channels());
  }

  /** The chat of a message of a person; a reaction needs no thread. */
  static ChatAddress addressOf(MessageRef ref) {
    return new ChatAddress(ref.channel(), ref.chat(), Optional.empty());
  }
}
