package dev.midcourse.channels.irc;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.inbound.ChatFacts;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.inbound.QuotedMessage;
import dev.midcourse.core.chat.inbound.Sender;
import dev.midcourse.core.chat.inbound.SenderKind;
import dev.midcourse.core.chat.person.Identity;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a line of a person as a message. Everything else is left out. */
final class IrcUpdateReader {
  private static final int MAX_ID = 200;
  private static final char CTCP = '\u0001';
  private static final Pattern CALL = Pattern.compile("@?([^\\s:,]+)[:,]\\s*");

  private final ChannelName channel;
  private final IrcSettings.IdentityRule rule;
  private final UnaryOperator<String> firstLine;

  /**
   * @param firstLine gives for the id of a line of ours the id of the first line of its message; an
   *     empty text for a line that is not ours
   */
  IrcUpdateReader(
      ChannelName channel, IrcSettings.IdentityRule rule, UnaryOperator<String> firstLine) {
    this.channel = channel;
    this.rule = rule;
    this.firstLine = firstLine;
  }

  Optional<InboundMessage> read(IrcLine line, IrcNetwork network, Instant now) {
    String target = line.param(0);
    String written = line.param(1);
    String nick = line.nick();
    boolean isRoom = network.isRoom(target);
    if (!line.command().equals("PRIVMSG")
        || written.indexOf(CTCP) >= 0
        || nick.isEmpty()
        || network.isUs(nick)) {
      return Optional.empty();
    }
    boolean isPerson = line.source().orElse("").indexOf('!') > 0; // a server has no user name
    String text = IrcText.plain(written);
    if (text.isBlank() || !isPerson) {
      return Optional.empty();
    }
    Optional<Identity> identity = identity(line, network);
    String chat = isRoom ? network.fold(target) : direct(network.fold(nick), identity);
    Optional<String> id = line.tag("msgid").filter(value -> value.length() <= MAX_ID);
    String message = id.orElseGet(() -> "local-" + UUID.randomUUID());
    Optional<String> call = isRoom ? withoutCall(text, network) : Optional.empty();
    return Optional.of(
        new InboundMessage(
            new MessageRef(channel, chat, message),
            Optional.empty(),
            "message:" + message,
            InboundKind.MESSAGE,
            new Sender(identity, nick, kind(line)),
            new ChatFacts(
                isRoom ? ChatKind.GROUP : ChatKind.DIRECT,
                false,
                Optional.of(isRoom ? target : nick)),
            text,
            call.orElse(text).strip(),
            !isRoom || call.isPresent(),
            quoted(line),
            List.of(),
            time(line, now)));
  }

  private Optional<Identity> identity(IrcLine line, IrcNetwork network) {
    Optional<String> handle =
        switch (rule) {
          case ACCOUNT -> line.tag("account").map(account -> account.toLowerCase(Locale.ROOT));
          case NICK -> Optional.of(network.fold(line.nick()));
        };
    return handle
        .filter(text -> text.length() <= MAX_ID && !text.equals("*"))
        .filter(text ->
            text.codePoints()
                .noneMatch(c -> Character.isWhitespace(c) || Character.isISOControl(c)))
        .map(text -> new Identity(channel, text));
  }

  private String direct(String nick, Optional<Identity> identity) {
    return switch (rule) {
      case ACCOUNT -> IrcChat.direct(nick, identity.map(Identity::handle));
      case NICK -> IrcChat.direct(nick, Optional.empty());
    };
  }

  private static SenderKind kind(IrcLine line) {
    boolean isBot = line.tags().containsKey("bot") || line.tags().containsKey("draft/bot");
    return isBot ? SenderKind.BOT : SenderKind.PERSON;
  }

  /** The text after our nick and a colon or comma at its start; empty if it is not there. */
  private static Optional<String> withoutCall(String text, IrcNetwork network) {
    Matcher call = CALL.matcher(text.stripLeading());
    return call.lookingAt() && network.isUs(call.group(1))
        ? Optional.of(text.stripLeading().substring(call.end()))
        : Optional.empty();
  }

  private Optional<QuotedMessage> quoted(IrcLine line) {
    return line.tag("+draft/reply")
        .or(() -> line.tag("+reply"))
        .filter(id -> id.length() <= MAX_ID)
        .map(id -> {
          String ours = firstLine.apply(id);
          return new QuotedMessage(
              ours.isEmpty() ? id : ours, !ours.isEmpty(), Optional.empty(), Optional.empty());
        });
  }

  /** The time that the server names, unless it lies in the future. */
  static Instant time(IrcLine line, Instant now) {
    try {
      return line.tag("time").map(Instant::parse).filter(time -> time.isBefore(now)).orElse(now);
    } catch (DateTimeException notATime) {
      return now;
    }
  }
}
