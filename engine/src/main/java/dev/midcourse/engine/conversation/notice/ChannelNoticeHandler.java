package dev.midcourse.engine.conversation.notice;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.text.VisibleText;
import dev.midcourse.core.time.LocalTimeFormat;
import dev.midcourse.engine.context.EngineContext;
import dev.midcourse.engine.outbox.OutboxSignal;
import dev.midcourse.engine.outbox.OutboxWriter;
import dev.midcourse.ledger.Transaction;
import dev.midcourse.ledger.chat.ChatWriter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Carries out what a platform tells about a chat or a connection, in one transaction. Owners get a
 * message in a direct chat, in another channel if one is known; the same notice again within a day
 * tells them nothing new.
 */
public final class ChannelNoticeHandler {
  private static final Logger LOG = System.getLogger(ChannelNoticeHandler.class.getName());
  private static final Duration REPEAT_INTERVAL = Duration.ofDays(1);

  /** The run id of log entries that concern no run. */
  private static final RunId NO_RUN = RunId.of("none");

  private final EngineContext engine;
  private final OutboxSignal outbox;
  private final ZoneId zone;

  /**
   * @param zone the time zone of people who have none of their own
   */
  public ChannelNoticeHandler(EngineContext engine, OutboxSignal outbox, ZoneId zone) {
    this.engine = engine;
    this.outbox = outbox;
    this.zone = zone;
  }

  /** Returns when everything is durable. */
  public void handle(ChannelName channel, ChannelNotice notice) {
    Set<ChannelName> woken =
        engine
            .ledger()
            .write(tx -> {
              OutboxWriter writer =
                  new OutboxWriter(tx.chats(), engine.ids(), engine.clock().instant());
              carryOut(tx, writer, channel, notice);
              return writer.channels();
            });
    woken.forEach(outbox::wake);
  }

  private void carryOut(
      Transaction tx, OutboxWriter writer, ChannelName channel, ChannelNotice notice) {
    switch (notice) {
      case ChannelNotice.ChatMoved(String oldChat, String newChat) ->
          move(tx, channel, oldChat, newChat);
      case ChannelNotice.ChatOpened(String chat, Optional<String> name) ->
          note(tx, channel + ": the bot can write in " + name.orElse(chat));
      case ChannelNotice.ChatClosed(String chat, String reason) ->
          closed(tx, writer, channel, chat, reason);
      case ChannelNotice.Gap gap ->
          tell(
              tx,
              writer,
              channel,
              "gap:" + gap.from() + gap.chat().orElse(""),
              at ->
                  "Between "
                      + LocalTimeFormat.formatLocalTime(gap.from(), at)
                      + " and "
                      + LocalTimeFormat.formatLocalTime(gap.to(), at)
                      + " Midcourse was not connected to "
                      + channel
                      + ". These may be missing: "
                      + gap.missing()
                      + gap.chat().map(chat -> ", in " + title(tx, channel, chat)).orElse("")
                      + ". Please send again what got no answer.");
      case ChannelNotice.Stopped(String reason, String remedy) ->
          tell(
              tx,
              writer,
              channel,
              "stopped:" + reason,
              _ -> "The channel " + channel + " has stopped: " + reason + ". " + remedy);
    }
  }

  /** A chat without a wiring that already has the new id was made by a message that came first. */
  private void move(Transaction tx, ChannelName channel, String oldChat, String newChat) {
    ChatWriter chats = tx.chats();
    if (chats.chat(channel, oldChat).isEmpty()) {
      return;
    }
    Optional<Chat> known = chats.chat(channel, newChat);
    if (known.filter(chat -> !chats.wirings(chat.id()).isEmpty()).isPresent()) {
      LOG.log(
          Level.WARNING,
          "The chat {0}:{1} has the new id {2}, which is wired already; both stay as they are.",
          channel,
          oldChat,
          newChat);
      return;
    }
    known.ifPresent(chat -> chats.deleteChat(chat.id()));
    chats.moveChat(channel, oldChat, newChat);
    note(tx, channel + ": the chat " + oldChat + " has the new id " + newChat);
  }

  private void closed(
      Transaction tx, OutboxWriter writer, ChannelName channel, String chat, String reason) {
    note(tx, channel + ": the bot cannot write in " + chat + " any more: " + reason);
    boolean isWired =
        tx.chats()
            .chat(channel, chat)
            .filter(known -> !tx.chats().wirings(known.id()).isEmpty())
            .isPresent();
    if (isWired) {
      tell(
          tx,
          writer,
          channel,
          "closed:" + chat,
          _ ->
              "Midcourse can no longer write in "
                  + title(tx, channel, chat)
                  + " ("
                  + channel
                  + "): "
                  + reason
                  + ". Its wirings stay; add the bot again to go on.");
    }
  }

  private static String title(Transaction tx, ChannelName channel, String chat) {
    return VisibleText.exactLine(tx.chats().chat(channel, chat).map(Chat::title).orElse(chat));
  }

  private void note(Transaction tx, String text) {
    LOG.log(Level.INFO, text);
    tx.append(NO_RUN, engine.clock().instant(), new RunEvent.Noted(text));
  }

  /**
   * Tells every owner who can be reached.
   *
   * @param key names the notice; the same one is told once a day
   * @param text the text for a person in this time zone
   */
  private void tell(
      Transaction tx,
      OutboxWriter writer,
      ChannelName channel,
      String key,
      Function<ZoneId, String> text) {
    Instant now = engine.clock().instant();
    String setting = "channel." + channel + ".told." + Integer.toHexString(key.hashCode());
    boolean isKnown =
        tx.setting(setting)
            .map(Instant::parse)
            .filter(at -> at.plus(REPEAT_INTERVAL).isAfter(now))
            .isPresent();
    if (isKnown) {
      return;
    }
    tx.putSetting(setting, now.toString());
    tx.append(NO_RUN, now, new RunEvent.Noted(text.apply(zone)));
    LOG.log(Level.WARNING, text.apply(zone));
    for (PersonId owner : owners(tx.chats())) {
      ZoneId at = tx.chats().person(owner).flatMap(Person::zone).orElse(zone);
      directChat(tx.chats(), owner, channel)
          .ifPresent(chat -> writer.text(chat, text.apply(at), Optional.empty(), Optional.empty()));
    }
  }

  private static List<PersonId> owners(ChatWriter chats) {
    return chats.roles().stream()
        .filter(grant -> grant.role() == PersonRole.OWNER)
        .map(RoleGrant::person)
        .distinct()
        .toList();
  }

  /** A direct chat of another channel if there is one, because this one may not work. */
  private static Optional<ChatAddress> directChat(
      ChatWriter chats, PersonId owner, ChannelName troubled) {
    List<ChatAddress> all = chats.directChats(owner);
    return all.stream()
        .filter(chat -> !chat.channel().equals(troubled))
        .findFirst()
        .or(() -> all.stream().findFirst());
  }
}
