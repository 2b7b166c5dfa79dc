package dev.midcourse.core.chat.route;

import java.util.Optional;

/** A command in a chat: an exact first word that begins with a slash, and its argument. */
public record ChatCommand(ChatCommandName name, String argument) {

  /** Reads a command. A word that only begins like a command is none. */
  public static Optional<ChatCommand> parse(String bareText) {
    String text = bareText.strip();
    int end = 0;
    while (end < text.length() && !Character.isWhitespace(text.charAt(end))) {
      end++;
    }
    String argument = text.substring(end).strip();
    return ChatCommandName.of(text.substring(0, end)).map(name -> new ChatCommand(name, argument));
  }
}
