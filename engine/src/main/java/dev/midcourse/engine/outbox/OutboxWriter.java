package dev.midcourse.engine.outbox;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent;
import dev.midcourse.core.chat.outbound.OutboundContent.Card;
import dev.midcourse.core.chat.outbound.OutboundContent.CloseCard;
import dev.midcourse.core.chat.outbound.OutboundContent.Edit;
import dev.midcourse.core.chat.outbound.OutboundContent.File;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundContent.Reaction;
import dev.midcourse.core.chat.outbound.OutboundContent.Text;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.outbound.OutboundState;
import dev.midcourse.core.id.Ids;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.prompt.AnswerFormat;
import dev.midcourse.ledger.chat.ChatWriter;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Puts messages into the outbox, in one transaction. A message gets its id and its number here, and
 * replaces an older one of the same slot that still waits. Texts and captions lose their {@code
 * <internal>} parts; cards do not.
 *
 * <p>An instance belongs to one transaction. After the commit its owner wakes the sender of each of
 * {@link #channels()}.
 */
public final class OutboxWriter {
  private static final int ID_LENGTH = 16;

  private final ChatWriter tx;
  private final Ids ids;
  private final Instant now;
  private final Set<ChannelName> channels = new LinkedHashSet<>();

  public OutboxWriter(ChatWriter tx, Ids ids, Instant now) {
    this.tx = tx;
    this.ids = ids;
    this.now = now;
  }

  /** The channels that have a new message. */
  public Set<ChannelName> channels() {
    return Set.copyOf(channels);
  }

  /**
   * Puts a message in Markdown. Returns nothing, and puts nothing, if the text has only internal
   * parts.
   *
   * @param replyTo the message of the platform that it answers
   */
  public Optional<OutboundId> text(
      ChatAddress to, String markdown, Optional<String> replyTo, Optional<RunId> run) {
    String visible = AnswerFormat.stripInternalTags(markdown);
    return visible.isEmpty()
        ? Optional.empty()
        : Optional.of(putAnswer(to, new Text(visible, replyTo), Optional.empty(), run));
  }

  /**
   * Replaces the text of a message of the outbox. A message that still waits is changed itself; a
   * second edit replaces one that still waits. Does nothing if the outbox has no such message.
   */
  public void edit(OutboundId message, String markdown) {
    tx.outbound(message)
        .ifPresent(original -> edit(original, AnswerFormat.stripInternalTags(markdown)));
  }

  private void edit(OutboundMessage original, String markdown) {
    if (original.state() == OutboundState.QUEUED
        && original.content() instanceof Text(String ignored, Optional<String> replyTo)) {
      tx.put(original.with(new Text(markdown, replyTo)));
      channels.add(original.to().channel());
    } else {
      putAnswer(
          original.to(),
          new Edit(original.id(), markdown),
          Optional.of("edit:" + original.id()),
          original.run());
    }
  }

  /**
   * Makes this the one reaction on a message of the platform.
   *
   * @param text the sentence for a channel without reactions; without one such a channel shows
   *     nothing
   */
  public OutboundId reaction(
      ChatAddress to,
      String message,
      MessageStatus status,
      Optional<String> text,
      Optional<RunId> run) {
    return putAnswer(
        to, new Reaction(message, status, text), Optional.of(reactionSlot(message)), run);
  }

  /** The newest reaction on a message of the platform that was sent or waits. */
  public Optional<OutboundMessage> newestReaction(ChatAddress to, String message) {
    return tx.newestInSlot(to, reactionSlot(message));
  }

  private static String reactionSlot(String message) {
    return "reaction:" + message;
  }

  /**
   * Shows the progress of a turn: as a new message the first time, then as an edit of it. The same
   * text again, or a text with internal parts only, changes nothing.
   */
  public void progress(ChatAddress to, RunId run, int turn, String markdown) {
    String visible = AnswerFormat.stripInternalTags(markdown);
    String slot = progressSlot(run, turn);
    Optional<OutboundMessage> newest = tx.newestInSlot(to, slot);
    Optional<OutboundContent> next =
        newest.isEmpty()
            ? Optional.of(new Text(visible, Optional.empty()))
            : newest.flatMap(before -> progressAfter(before, visible));
    if (!visible.isEmpty()) {
      next.ifPresent(content ->
          put(to, content, OutboundMessage.RANK_PROGRESS, Optional.of(slot), Optional.of(run)));
    }
  }

  /** Replaces the progress of a turn by its last text, if any progress was shown. */
  public void endProgress(ChatAddress to, RunId run, int turn, String markdown) {
    if (tx.newestInSlot(to, progressSlot(run, turn)).isPresent()) {
      progress(to, run, turn, markdown);
    }
  }

  private static String progressSlot(RunId run, int turn) {
    return "progress:" + run + ":" + turn;
  }

  /** What shows the progress after the message before it; nothing if that shows the same. */
  private static Optional<OutboundContent> progressAfter(OutboundMessage before, String markdown) {
    return switch (before.content()) {
      case Text(String shown, var _) when shown.equals(markdown) -> Optional.empty();
      case Edit(var _, String shown) when shown.equals(markdown) -> Optional.empty();
      case Edit(OutboundId first, var _) -> Optional.of(new Edit(first, markdown));
      case Text _ when before.state() == OutboundState.QUEUED ->
          Optional.of(new Text(markdown, Optional.empty()));
      case Text _ -> Optional.of(new Edit(before.id(), markdown));
      case Reaction _, Card _, CloseCard _, File _, OutboundContent.Unknown _ ->
          Optional.of(new Text(markdown, Optional.empty()));
    };
  }

  /** Puts a message with buttons. No part of it is left out: people approve what they see. */
  public OutboundId card(ChatAddress to, Card card, Optional<RunId> run) {
    return putAnswer(to, card, Optional.empty(), run);
  }

  /**
   * Replaces a card by a text without buttons. A card that still waits is not sent at all. Does
   * nothing if the outbox has no such card.
   */
  public void closeCard(OutboundId card, String markdown) {
    tx.outbound(card)
        .ifPresent(open -> {
          if (open.state() == OutboundState.QUEUED) {
            tx.put(open.superseded());
            channels.add(open.to().channel());
          } else {
            putAnswer(
                open.to(), new CloseCard(card, markdown), Optional.of("edit:" + card), open.run());
          }
        });
  }

  /** Puts a file below the data folder. */
  public OutboundId file(ChatAddress to, File file, Optional<RunId> run) {
    return file(newId(ids), to, file, run);
  }

  /** Puts a file below the data folder, under an id that {@link #newId} has made before. */
  public OutboundId file(OutboundId id, ChatAddress to, File file, Optional<RunId> run) {
    File visible =
        new File(
            file.path(),
            file.name(),
            file.caption().map(AnswerFormat::stripInternalTags).filter(c -> !c.isEmpty()));
    return put(id, to, visible, OutboundMessage.RANK_ANSWER, Optional.empty(), run);
  }

  /** Makes the id of a new message. */
  public static OutboundId newId(Ids ids) {
    return OutboundId.of(ids.token(ID_LENGTH));
  }

  private OutboundId putAnswer(
      ChatAddress to, OutboundContent content, Optional<String> slot, Optional<RunId> run) {
    return put(to, content, OutboundMessage.RANK_ANSWER, slot, run);
  }

  private OutboundId put(
      ChatAddress to,
      OutboundContent content,
      int rank,
      Optional<String> slot,
      Optional<RunId> run) {
    return put(newId(ids), to, content, rank, slot, run);
  }

  private OutboundId put(
      OutboundId id,
      ChatAddress to,
      OutboundContent content,
      int rank,
      Optional<String> slot,
      Optional<RunId> run) {
    slot.flatMap(name -> tx.newestInSlot(to, name))
        .filter(before -> before.state() == OutboundState.QUEUED)
        .ifPresent(before -> tx.put(before.superseded()));
    tx.put(OutboundMessage.queued(id, tx.nextOutboundNumber(), to, content, rank, slot, run, now));
    channels.add(to.channel());
    return id;
  }
}
