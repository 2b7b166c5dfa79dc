package dev.midcourse.channels.terminal;

import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.outbound.OutboundContent;
import dev.midcourse.core.chat.outbound.OutboundContent.Card;
import dev.midcourse.core.chat.outbound.OutboundContent.CloseCard;
import dev.midcourse.core.chat.outbound.OutboundContent.Edit;
import dev.midcourse.core.chat.outbound.OutboundContent.File;
import dev.midcourse.core.chat.outbound.OutboundContent.Reaction;
import dev.midcourse.core.chat.outbound.OutboundContent.Text;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.outbound.OutboundState;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.ledger.LedgerReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Builds a chat from the stored messages of both directions, in the order of their times. */
final class TerminalHistory {
  private static final int MAX_ROWS = 500;

  private final Path data;

  TerminalHistory(Path data) {
    this.data = data;
  }

  private record Step(Instant at, Consumer<TerminalChat> apply) {}

  TerminalChat read(LedgerReader reading, String chat) {
    List<Step> steps = new ArrayList<>();
    reading
        .chats()
        .chat(TerminalChannel.NAME, chat)
        .ifPresent(known ->
            reading
                .chats()
                .messages(Optional.of(known.id()), Optional.empty(), MAX_ROWS)
                .reversed()
                .forEach(message -> steps.add(step(message))));
    reading.chats().outboxOf(TerminalChannel.NAME, chat, MAX_ROWS).reversed().stream()
        .filter(message -> message.state() == OutboundState.SENT)
        .forEach(message ->
            steps.add(
                new Step(
                    message.sentAt().orElse(message.createdAt()), built -> apply(built, message))));
    steps.sort(Comparator.comparing(Step::at));
    TerminalChat built = new TerminalChat();
    steps.forEach(step -> step.apply().accept(built));
    return built;
  }

  private static Step step(RoutedMessage routed) {
    InboundMessage message = routed.message();
    String id = message.ref().message();
    return new Step(
        routed.receivedAt(),
        chat -> {
          switch (message.kind()) {
            case MESSAGE -> chat.show(of(message));
            case EDIT -> chat.change(id, shown -> shown.withText(message.text()));
            case DELETION -> chat.change(id, TerminalMessage::asDeleted);
          }
        });
  }

  /** The message of a person. */
  static TerminalMessage of(InboundMessage message) {
    return TerminalMessage.of(
        message.ref().message(),
        message.thread(),
        Optional.of(message.sender().name()),
        message.text(),
        message.replyTo().map(quoted -> quoted.message()),
        message.sentAt());
  }

  private void apply(TerminalChat chat, OutboundMessage message) {
    String id = message.id().value();
    Instant at = message.sentAt().orElse(message.createdAt());
    switch (message.content()) {
      case Text(String markdown, Optional<String> replyTo) ->
          chat.show(ours(message, id, markdown, replyTo, at));
      case Card(String title, String markdown, var buttons, var _) ->
          chat.show(
              ours(message, id, title + "\n" + markdown, Optional.empty(), at)
                  .withButtons(buttons));
      case File(String path, String name, Optional<String> caption) ->
          chat.show(
              ours(message, id, caption.orElse(name), Optional.empty(), at)
                  .withFile(data.resolve(path).toString()));
      case Edit(var target, String markdown) ->
          chat.change(target.value(), shown -> shown.withText(markdown));
      case CloseCard(var card, String markdown) ->
          chat.change(card.value(), shown -> shown.withText(markdown).withButtons(List.of()));
      case Reaction(String target, var status, var _) ->
          chat.change(target, shown -> shown.withStatus(status));
      case OutboundContent.Unknown _ -> {}
    }
  }

  private static TerminalMessage ours(
      OutboundMessage message, String id, String text, Optional<String> replyTo, Instant at) {
    return TerminalMessage.of(id, message.to().thread(), Optional.empty(), text, replyTo, at);
  }
}
