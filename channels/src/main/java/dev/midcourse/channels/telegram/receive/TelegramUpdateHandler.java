package dev.midcourse.channels.telegram.receive;

import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.connection.ChannelState;
import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.json.JsonValue.Obj;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Gives one update after the other to the listener. */
public final class TelegramUpdateHandler implements AutoCloseable {
  private static final Logger LOG = System.getLogger(TelegramUpdateHandler.class.getName());
  private static final int MAX_TEXTS = 500;
  private static final String NOT_STORED = "This could not be handled.";

  private final ChannelName channel;
  private final TelegramUpdateReader reader;
  private final ChannelListener listener;
  private final TelegramClicks clicks;
  private final TelegramAlbums albums;
  private final InstantSource clock;

  /** The last text of the newest messages; guarded by itself. */
  private final Map<String, String> lastTexts = new LinkedHashMap<>();

  /** Where the handler stores albums that are not complete, and how long it waits for a part. */
  public record Storage(
      ChannelName channel, ChannelState state, InstantSource clock, Duration settle) {}

  public TelegramUpdateHandler(
      TelegramUpdateReader reader,
      ChannelListener listener,
      TelegramClicks clicks,
      Storage storage) {
    this.channel = storage.channel();
    this.reader = reader;
    this.listener = listener;
    this.clicks = clicks;
    this.clock = storage.clock();
    this.albums = new TelegramAlbums(storage.state(), storage.settle(), this::receiveAlbum);
    albums.load();
  }

  /**
   * Takes an update. Returns when it is durable, or will never be: an update that is refused for
   * ever is skipped, since it would else hold up all others.
   *
   * @throws RuntimeException if it could not be stored now
   */
  public void handle(Obj update) {
    try {
      dispatch(update);
    } catch (RefusedException refused) {
      if (refused.problem().code() == Problem.Code.UNAVAILABLE) {
        throw refused;
      }
      LOG.log(
          Level.WARNING,
          "The channel {0} skips update {1} of Telegram: {2}",
          channel,
          update.text("update_id").orElse("without a number"),
          refused.description());
    }
  }

  private void dispatch(Obj update) {
    switch (reader.read(update, clock.instant())) {
      case TelegramUpdate.Message(InboundMessage message, var album) -> {
        if (album.isPresent() && message.kind() == InboundKind.MESSAGE) {
          albums.add(message.ref().chat(), album.get(), update);
        } else {
          albums.complete(message.ref().chat());
          receive(message);
        }
      }
      case TelegramUpdate.Click(ButtonClick click, String query) -> click(click, query);
      case TelegramUpdate.EmptyClick(String query) ->
          clicks.answer(query, CompletableFuture.completedFuture(""));
      case TelegramUpdate.Notice(var notice) -> listener.notice(channel, notice);
      case TelegramUpdate.Nothing(String reason) ->
          LOG.log(
              Level.DEBUG,
              "The channel {0} skips update {1} of Telegram: {2}.",
              channel,
              update.text("update_id").orElse("without a number"),
              reason);
    }
  }

  /** Telegram reports an edit also if only a preview or a reaction has changed. */
  private void receive(InboundMessage message) {
    String key = message.ref().toString();
    synchronized (lastTexts) {
      if (message.kind() == InboundKind.EDIT && message.text().equals(lastTexts.get(key))) {
        return;
      }
    }
    listener.receive(message);
    synchronized (lastTexts) {
      lastTexts.remove(key);
      lastTexts.put(key, message.text());
      if (lastTexts.size() > MAX_TEXTS) {
        lastTexts.remove(lastTexts.keySet().iterator().next());
      }
    }
  }

  /** The answer waits for the decision for a short time only, and nothing waits for the answer. */
  private void click(ButtonClick click, String query) {
    CompletableFuture<String> text = new CompletableFuture<>();
    clicks.answer(query, text);
    try {
      text.complete(listener.click(click));
    } catch (RuntimeException e) {
      text.complete(NOT_STORED);
      throw e;
    }
  }

  private void receiveAlbum(List<Obj> updates) {
    List<InboundMessage> parts =
        updates.stream()
            .map(update -> reader.read(update, clock.instant()))
            .filter(TelegramUpdate.Message.class::isInstance)
            .map(read -> ((TelegramUpdate.Message) read).message())
            .toList();
    if (parts.isEmpty()) {
      return;
    }
    try {
      receive(merge(parts));
    } catch (RefusedException refused) {
      if (refused.problem().code() == Problem.Code.UNAVAILABLE) {
        throw refused;
      }
      LOG.log(
          Level.WARNING,
          "The channel {0} skips an album of Telegram: {1}",
          channel,
          refused.description());
    }
  }

  /** The first part with the texts and files of all. */
  private static InboundMessage merge(List<InboundMessage> parts) {
    InboundMessage first = parts.getFirst();
    List<Attachment> files =
        parts.stream().map(InboundMessage::attachments).flatMap(Collection::stream).toList();
    return new InboundMessage(
        first.ref(),
        first.thread(),
        first.updateKey(),
        first.kind(),
        first.sender(),
        first.chat(),
        parts.stream()
            .map(InboundMessage::text)
            .filter(text -> !text.isBlank())
            .collect(Collectors.joining("\n")),
        parts.stream()
            .map(InboundMessage::bareText)
            .filter(text -> !text.isBlank())
            .collect(Collectors.joining("\n")),
        parts.stream().anyMatch(InboundMessage::mentioned),
        first.replyTo(),
        files,
        first.sentAt());
  }

  @Override
  public void close() {
    albums.close();
  }
}
