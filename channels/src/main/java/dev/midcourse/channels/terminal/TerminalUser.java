package dev.midcourse.channels.terminal;

import dev.midcourse.core.Problem;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.inbound.ChatFacts;
import dev.midcourse.core.chat.inbound.Sender;
import dev.midcourse.core.chat.inbound.SenderKind;
import dev.midcourse.core.chat.person.Identity;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A person at a terminal, in the direct chat or in a room. The channel trusts the name: only people
 * who may do everything reach it.
 *
 * @param room the room; without one, the chat with Midcourse alone
 */
public record TerminalUser(String name, Optional<String> room) {
  private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final String RULE = "1 to 64 letters, digits, '.', '_' or '-'";

  public TerminalUser {
    check("user", name);
    room.ifPresent(text -> check("room", text));
    if (name.equals(TerminalChannel.BOT)) {
      throw Problem.invalid("user", "a name other than " + name, "this is the name of Midcourse")
          .refused();
    }
  }

  private static void check(String field, String text) {
    if (!SHAPE.matcher(text).matches()) {
      throw Problem.invalid(
              field, RULE, field + " must be " + RULE + "; got " + WireNames.shown(text))
          .refused();
    }
  }

  /** The id of the chat in the channel. */
  String chat() {
    return room.map(text -> "room:" + text).orElse("user:" + name);
  }

  ChatFacts facts() {
    return new ChatFacts(
        room.isPresent() ? ChatKind.GROUP : ChatKind.DIRECT,
        room.isPresent(),
        Optional.of(room.orElse(name)));
  }

  Sender sender() {
    return new Sender(
        Optional.of(new Identity(TerminalChannel.NAME, name)), name, SenderKind.PERSON);
  }
}
