package dev.midcourse.channels.outbox;

import dev.midcourse.channels.ChannelCapabilities;
import dev.midcourse.channels.ChannelFeature;
import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent;
import dev.midcourse.core.chat.outbound.OutboundContent.Card;
import dev.midcourse.core.chat.outbound.OutboundContent.CloseCard;
import dev.midcourse.core.chat.outbound.OutboundContent.Edit;
import dev.midcourse.core.chat.outbound.OutboundContent.File;
import dev.midcourse.core.chat.outbound.OutboundContent.Reaction;
import dev.midcourse.core.chat.outbound.OutboundContent.Text;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.outbound.TextSplitter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Turns a message of the outbox into a request that the channel can carry out. The same message and
 * the same state of its target give the same plan. Has no side effects.
 *
 * <p>Leaves out no part of a text: the {@code <internal>} parts of answers never come into the
 * outbox, and a request for approval may have such words in what it asks for.
 */
final class SendPlanner {
  private static final String ANSWER_HINT = "Reply with the number of your answer.";
  private static final String CUT = "[cut: this is only the beginning]";

  /** The room for line feeds, marks and a fence around the beginning of a card. */
  private static final int MARKS_OF_BEGINNING = 16;

  private static final int MIN_BEGINNING = 64;

  private final ChannelCapabilities can;
  private final Path data;

  /**
   * @param data the folder below which the files of messages are
   */
  SendPlanner(ChannelCapabilities can, Path data) {
    this.can = can;
    this.data = data;
  }

  /**
   * Plans a message.
   *
   * @param target the message that it edits or closes, if the outbox has it
   */
  SendPlan plan(OutboundMessage message, Optional<OutboundMessage> target) {
    ChatAddress to = message.to();
    boolean isProgress = message.rank() >= OutboundMessage.RANK_PROGRESS;
    if (isProgress && !can.has(ChannelFeature.EDITS)) {
      return new SendPlan.Skip("the channel cannot edit messages, so that it shows no progress");
    }
    return switch (message.content()) {
      case Text(String markdown, Optional<String> replyTo) -> text(to, markdown, replyTo);
      case Edit edit ->
          isProgress ? progress(to, edit, target) : edit(to, edit.markdown(), edit, target);
      case Reaction reaction -> reaction(to, reaction);
      case Card card -> card(to, card);
      case CloseCard close -> closeCard(to, close, target);
      case File file -> file(to, file);
      case OutboundContent.Unknown(String kind, var _) ->
          new SendPlan.Fail("a newer version of Midcourse stored it as " + kind);
    };
  }

  private SendPlan text(ChatAddress to, String markdown, Optional<String> replyTo) {
    List<String> parts = parts(markdown);
    if (parts.isEmpty()) {
      return new SendPlan.Skip("the message has no visible text");
    }
    return new SendPlan.Call(
        new ChannelRequest.SendText(to, parts.getFirst(), replyTo),
        new Text(parts.getFirst(), replyTo),
        further(parts));
  }

  private List<String> parts(String markdown) {
    return markdown.isBlank() ? List.of() : TextSplitter.split(markdown, can.limits().maxText());
  }

  private static List<OutboundContent> further(List<String> parts) {
    return parts.stream()
        .skip(1)
        .<OutboundContent>map(part -> new Text(part, Optional.empty()))
        .toList();
  }

  private SendPlan progress(ChatAddress to, Edit edit, Optional<OutboundMessage> target) {
    String shown = TextSplitter.truncate(edit.markdown(), can.limits().maxText());
    return switch (target(target)) {
      case Target.Sent(String id) -> call(new ChannelRequest.EditText(to, id, shown), edit);
      case Target.Waiting _ -> changeTarget(target, shown);
      case Target.Missing(String reason) -> new SendPlan.Skip(reason);
    };
  }

  private SendPlan edit(
      ChatAddress to, String markdown, Edit edit, Optional<OutboundMessage> target) {
    List<String> parts = parts(markdown);
    return switch (target(target)) {
      case Target _ when parts.isEmpty() -> new SendPlan.Skip("the message has no visible text");
      case Target.Sent(String id) when !can.has(ChannelFeature.EDITS) ->
          text(to, markdown, Optional.of(id));
      case Target.Sent(String id) ->
          new SendPlan.Call(
              new ChannelRequest.EditText(to, id, parts.getFirst()),
              new Edit(edit.message(), parts.getFirst()),
              further(parts));
      case Target.Waiting _ -> changeTarget(target, markdown);
      case Target.Missing(String reason) -> new SendPlan.Fail(reason);
    };
  }

  private SendPlan reaction(ChatAddress to, Reaction reaction) {
    if (can.has(ChannelFeature.REACTIONS)) {
      return call(
          new ChannelRequest.SetReaction(to, reaction.message(), reaction.status()), reaction);
    }
    return reaction
        .text()
        .map(text -> text(to, text, Optional.of(reaction.message())))
        .orElseGet(() -> new SendPlan.Skip("the channel has no reactions"));
  }

  private SendPlan card(ChatAddress to, Card card) {
    return switch (form(card)) {
      case BUTTONS ->
          call(
              new ChannelRequest.SendCard(
                  to,
                  card.title(),
                  TextSplitter.truncate(card.markdown(), room(card)),
                  card.buttons()),
              card);
      case NUMBERS -> text(to, numbered(card), Optional.empty());
      case BEGINNING ->
          call(new ChannelRequest.SendText(to, beginning(card), Optional.empty()), card);
    };
  }

  /** How a channel shows a card. */
  private enum CardForm {
    BUTTONS,
    NUMBERS,
    /** Its beginning without answers, since not all that they decide about is visible. */
    BEGINNING
  }

  private CardForm form(Card card) {
    boolean hasButtons =
        can.has(ChannelFeature.BUTTONS) && card.buttons().size() <= can.limits().maxButtons();
    boolean isWhole =
        hasButtons
            ? card.markdown().length() <= room(card)
            : numbered(card).length() <= can.limits().maxText();
    if (!isWhole && card.ifTooLong().isPresent()) {
      return CardForm.BEGINNING;
    }
    return hasButtons ? CardForm.BUTTONS : CardForm.NUMBERS;
  }

  /** The room for the text below the title. */
  private int room(Card card) {
    return Math.max(1, can.limits().maxText() - card.title().length() - 2);
  }

  /** Says first that this is not all, so that nothing in the text can hide it. */
  private String beginning(Card card) {
    String head =
        "**%s**\n%s".formatted(card.title(), card.ifTooLong().orElseThrow()).stripTrailing();
    int room = can.limits().maxText() - head.length() - CUT.length() - MARKS_OF_BEGINNING;
    if (card.markdown().length() <= room) {
      return head + "\n\n" + card.markdown();
    }
    return room < MIN_BEGINNING
        ? TextSplitter.truncate(head, can.limits().maxText())
        : head + "\n\n" + TextSplitter.split(card.markdown(), room).getFirst() + "\n\n" + CUT;
  }

  /** A card as text, for a channel without buttons or with fewer than the card has. */
  private static String numbered(Card card) {
    String answers =
        IntStream.range(0, card.buttons().size())
            .mapToObj(i -> (i + 1) + ". " + card.buttons().get(i).label())
            .collect(Collectors.joining("\n"));
    return "**%s**\n%s\n\n%s\n\n%s".formatted(card.title(), card.markdown(), answers, ANSWER_HINT);
  }

  private SendPlan closeCard(ChatAddress to, CloseCard close, Optional<OutboundMessage> target) {
    boolean isCard =
        target
            .map(OutboundMessage::content)
            .filter(content -> content instanceof Card card && form(card) == CardForm.BUTTONS)
            .isPresent();
    String shown = TextSplitter.truncate(close.markdown(), can.limits().maxText());
    return switch (target(target)) {
      case Target.Sent(String id) when isCard ->
          call(new ChannelRequest.CloseCard(to, id, shown), close);
      case Target.Sent(String id) when can.has(ChannelFeature.EDITS) ->
          call(new ChannelRequest.EditText(to, id, shown), close);
      case Target.Sent(String id) -> text(to, shown, Optional.of(id));
      case Target.Waiting _ -> new SendPlan.ChangeTarget(new Text(shown, Optional.empty()));
      case Target.Missing(String reason) -> new SendPlan.Fail(reason);
    };
  }

  /** Resolves the path lexically; the sender checks the file itself. */
  private SendPlan file(ChatAddress to, File file) {
    Path path = data.resolve(file.path()).normalize();
    if (!path.startsWith(data.normalize())) {
      return new SendPlan.Fail("the file " + file.name() + " is not below the data folder");
    }
    Optional<String> caption = file.caption();
    if (!can.has(ChannelFeature.FILES)) {
      String note = "(The file %s cannot be sent in this channel.)".formatted(file.name());
      return text(to, caption.map(text -> text + "\n\n" + note).orElse(note), Optional.empty());
    }
    return call(
        new ChannelRequest.SendFile(
            to,
            path,
            file.name(),
            caption.map(text -> TextSplitter.truncate(text, can.limits().maxText()))),
        file);
  }

  private static SendPlan call(ChannelRequest request, OutboundContent content) {
    return new SendPlan.Call(request, content, List.of());
  }

  private static SendPlan changeTarget(Optional<OutboundMessage> target, String markdown) {
    Optional<String> replyTo =
        target
            .map(OutboundMessage::content)
            .flatMap(content -> content instanceof Text text ? text.replyTo() : Optional.empty());
    return new SendPlan.ChangeTarget(new Text(markdown, replyTo));
  }

  /** The state of a message that another one edits or closes. */
  private sealed interface Target {
    /** The platform has it, under this id. */
    record Sent(String id) implements Target {}

    /** It waits to be sent again. */
    record Waiting() implements Target {}

    /** The platform does not have it, or this is not known. */
    record Missing(String reason) implements Target {}
  }

  private static Target target(Optional<OutboundMessage> target) {
    if (target.isEmpty()) {
      return new Target.Missing("the message that it changes is no longer stored");
    }
    OutboundMessage message = target.get();
    String name = "message " + message.id();
    return switch (message.state()) {
      case SENT ->
          message
              .platformId()
              .<Target>map(Target.Sent::new)
              .orElseGet(() -> new Target.Missing(name + " has no id of the platform"));
      case QUEUED, SENDING -> new Target.Waiting();
      case UNKNOWN ->
          new Target.Missing(
              "it is not known whether " + name + " was sent, so that it cannot be changed");
      case FAILED, SUPERSEDED, SKIPPED, DISMISSED ->
          new Target.Missing(
              name
                  + (message.isUndelivered() ? " was not delivered" : " was not sent")
                  + ", so that it cannot be changed");
    };
  }
}
