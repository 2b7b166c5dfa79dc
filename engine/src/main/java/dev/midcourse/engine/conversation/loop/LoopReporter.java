package dev.midcourse.engine.conversation.loop;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.autopilot.LoopCard;
import dev.midcourse.core.chat.autopilot.LoopChoice;
import dev.midcourse.core.chat.card.ButtonMeaning;
import dev.midcourse.core.chat.card.CardButton;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundContent.Card;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.text.VisibleText;
import dev.midcourse.engine.context.EngineContext;
import dev.midcourse.engine.follow.LogFollower;
import dev.midcourse.engine.outbox.OutboxSignal;
import dev.midcourse.engine.outbox.OutboxWriter;
import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.Transaction;
import dev.midcourse.ledger.chat.ChatReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Shows the questions and the ends of loops in the chats where they were started. It compares what
 * a loop asks with what its chat was asked, in the transaction that puts the message; so each
 * question is asked once, also when news are read twice or by several hubs.
 */
public final class LoopReporter implements AutoCloseable {
  private static final Duration STORE_INTERVAL = Duration.ofSeconds(5);
  private static final int BUTTON_ID_LENGTH = 20;

  private final EngineContext engine;
  private final OutboxSignal signal;
  private final LogFollower follower;

  public LoopReporter(EngineContext engine, OutboxSignal signal) {
    this.engine = engine;
    this.signal = signal;
    this.follower =
        new LogFollower(
            "loops-in-chats",
            engine.ledger(),
            Log.Filter.of(RunEvent.LoopMoved.class),
            STORE_INTERVAL,
            this::report);
  }

  /** Begins to report. */
  public void start() {
    follower.start();
  }

  @Override
  public void close() {
    follower.close();
  }

  /** Lets the loop report in this chat from now on, and asks there what it asks already. */
  public void reportTo(LoopId loop, ChatAddress to) {
    change(tx -> {
      boolean same = LoopReports.of(tx, loop).map(LoopReports::to).filter(to::equals).isPresent();
      if (!same) {
        LoopReports.begun(to).store(tx, loop);
      }
      return report(tx, loop, "");
    });
  }

  private void report(List<Log.LogEntry> news) {
    Map<LoopId, String> newest = new LinkedHashMap<>();
    for (Log.LogEntry entry : news) {
      if (entry.event() instanceof RunEvent.LoopMoved moved) {
        newest.merge(LoopId.of(entry.run().value()), moved.text(), LoopReporter::decision);
      }
    }
    newest.forEach((loop, text) -> {
      boolean reports = engine.ledger().read(r -> LoopReports.of(r, loop).isPresent());
      if (reports) {
        change(tx -> report(tx, loop, text));
      }
    });
  }

  /** The first of the news is the decision; the others follow from it. */
  private static String decision(String first, String ignored) {
    return first;
  }

  private interface Change {
    Set<ChannelName> in(Transaction tx);
  }

  private void change(Change change) {
    engine
        .ledger()
        .write(
            Priority.NORMAL,
            change::in,
            channels -> {
              channels.forEach(signal::wake);
              return channels;
            });
  }

  private Set<ChannelName> report(Transaction tx, LoopId id, String news) {
    Optional<Loop> loop = tx.loops().loop(id);
    Optional<LoopReports> stored = LoopReports.of(tx, id);
    if (loop.isEmpty() || stored.isEmpty()) {
      return Set.of();
    }
    Instant now = engine.clock().instant();
    OutboxWriter outbox = new OutboxWriter(tx.chats(), engine.ids(), now);
    LoopReports reports = stored.get();
    Optional<LoopCard> asks = LoopCard.of(loop.get());
    boolean asked = asks.filter(it -> it.about().equals(reports.about())).isPresent();
    LoopReports next = reports;
    if (!asked && reports.card().isPresent()) {
      outbox.closeCard(reports.card().get(), closed(tx, reports.card().get(), news));
      next = next.withoutCard();
    }
    if (!asked && asks.isPresent()) {
      next = next.withCard(ask(tx, outbox, id, reports.to(), asks.get(), now), asks.get().about());
    }
    Optional<Instant> ended = loop.get().endedAt();
    if (ended.isPresent() && !ended.equals(reports.told())) {
      LoopCard.end(loop.get())
          .ifPresent(text -> outbox.text(reports.to(), text, Optional.empty(), Optional.empty()));
      next = next.withEnd(ended.get());
    }
    if (!next.equals(reports)) {
      next.store(tx, id);
    }
    return outbox.channels();
  }

  /** The text of a card after the decision, with what was decided on top. */
  private static String closed(Transaction tx, OutboundId card, String news) {
    String title =
        tx.chats()
            .outbound(card)
            .map(it -> it.content() instanceof Card asked ? asked.title() : "")
            .orElse("");
    return title + "\n" + (news.isBlank() ? "Decided." : VisibleText.prose(news));
  }

  private OutboundId ask(
      Transaction tx,
      OutboxWriter outbox,
      LoopId loop,
      ChatAddress to,
      LoopCard asks,
      Instant now) {
    List<ChoiceButton> choices =
        asks.choices().stream()
            .map(it -> new ChoiceButton(engine.ids().token(BUTTON_ID_LENGTH), it))
            .toList();
    List<Button> buttons = new ArrayList<>();
    choices.forEach(it -> buttons.add(new Button(it.button(), it.choice().label())));
    OutboundId card =
        outbox.card(
            to,
            new Card(
                asks.title(),
                asks.text(),
                buttons,
                Optional.of("Read it with midcourse autopilot show " + loop + ".")),
            Optional.empty());
    for (ChoiceButton it : choices) {
      tx.chats()
          .put(
              new CardButton(
                  it.button(),
                  card,
                  new ButtonMeaning.DirectLoop(loop, it.choice(), asks.about()),
                  now));
    }
    return card;
  }

  private record ChoiceButton(String button, LoopChoice choice) {}

  /** The loop of a card of the outbox, if it is one about a loop. */
  public static Optional<ButtonMeaning.DirectLoop> loopOf(
      ChatReader chats, OutboundContent content) {
    return content instanceof Card card && !card.buttons().isEmpty()
        ? chats
            .button(card.buttons().getFirst().id())
            .map(CardButton::meaning)
            .filter(ButtonMeaning.DirectLoop.class::isInstance)
            .map(ButtonMeaning.DirectLoop.class::cast)
        : Optional.empty();
  }
}
