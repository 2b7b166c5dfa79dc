package dev.midcourse.cli.chat;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line that the user typed in a chat. Commands of the chat itself, such as {@code /stop}, are
 * text for the hub.
 */
sealed interface ChatInput {
  /** An empty line. */
  record Blank() implements ChatInput {}

  record Message(String text) implements ChatInput {}

  /** A message that answers the message with this number. */
  record Reply(int number, String text) implements ChatInput {}

  record Edit(int number, String text) implements ChatInput {}

  record Delete(int number) implements ChatInput {}

  /** The button with this number of the newest card. */
  record Choose(int button) implements ChatInput {}

  record Help() implements ChatInput {}

  record Leave() implements ChatInput {}

  record Wrong(String what) implements ChatInput {}

  String HELP =
      """
      A line you type is a message.
        /reply N TEXT  reply to message N; a reply to a running task corrects it
        /edit N TEXT   change your message N
        /delete N      delete your message N
        /1, /2, ...    choose an answer of the newest card
        /quit          leave (also Ctrl-D); tasks keep running
      /help lists the commands of the worker.\
      """;

  Pattern NUMBERED = Pattern.compile("/(\\d{1,3})");
  Pattern WITH_NUMBER = Pattern.compile("/(\\w+)\\s+(\\d{1,9})(?:\\s+(.*))?", Pattern.DOTALL);

  static ChatInput parse(String line) {
    String text = line.strip();
    if (text.isEmpty()) {
      return new Blank();
    }
    Matcher choice = NUMBERED.matcher(text);
    if (choice.matches()) {
      return new Choose(Integer.parseInt(choice.group(1)));
    }
    String word = text.split("\\s", 2)[0].toLowerCase(Locale.ROOT);
    return switch (word) {
      case "/?" -> new Help();
      case "/quit", "/exit" -> new Leave();
      case "/reply", "/edit", "/delete" -> withNumber(word, text);
      default -> new Message(text);
    };
  }

  private static ChatInput withNumber(String word, String text) {
    Matcher matcher = WITH_NUMBER.matcher(text);
    if (!matcher.matches()) {
      return new Wrong(word + " requires the number of a message; /? lists all commands");
    }
    int number = Integer.parseInt(matcher.group(2));
    String rest = matcher.group(3) == null ? "" : matcher.group(3).strip();
    if (word.equals("/delete")) {
      return rest.isEmpty() ? new Delete(number) : new Wrong(word + " takes no text");
    }
    if (rest.isEmpty()) {
      return new Wrong(word + " requires TEXT");
    }
    return word.equals("/reply") ? new Reply(number, rest) : new Edit(number, rest);
  }
}
