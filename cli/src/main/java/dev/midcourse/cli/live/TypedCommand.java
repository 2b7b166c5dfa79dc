package dev.midcourse.cli.live;

import java.util.Locale;

/** A line that the user typed in the view of a live run. */
sealed interface TypedCommand {

  /** An empty line. */
  record Blank() implements TypedCommand {}

  /** A steer with its mode. */
  record Steer(String mode, String text) implements TypedCommand {}

  record Stop() implements TypedCommand {}

  record Detach() implements TypedCommand {}

  record Help() implements TypedCommand {}

  /** An answer to a question of the agent. A line without a slash is never an answer. */
  record Reply(String answer, String why) implements TypedCommand {}

  /** An unknown command after a slash, or a command without its text. */
  record Wrong(String what) implements TypedCommand {}

  String HELP =
      """
      A line you type is a steer for the agent.
        /interrupt TEXT  interrupt the turn and deliver this now
        /follow-up TEXT  deliver this after the turn
        /next TEXT       guidance for the next call of the agent
        /steer TEXT      a steer, also if it reads like an answer or a command
        /allow           allow what the agent asks for
        /deny [REASON]   deny what the agent asks for
        /answer TEXT     answer a question in words
        /stop            stop the run
        /detach          detach; the run keeps running (also Ctrl-D)
      Ctrl-C twice stops; Ctrl-D detaches.\
      """;

  static TypedCommand parse(String line) {
    String text = line.strip();
    if (text.isEmpty()) {
      return new Blank();
    }
    if (text.startsWith("//")) {
      return new Steer("steer", text.substring(1));
    }
    if (!text.startsWith("/")) {
      return new Steer("steer", text);
    }
    int space = text.indexOf(' ');
    String word = space < 0 ? text : text.substring(0, space);
    String rest = space < 0 ? "" : text.substring(space + 1).strip();
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "/stop" -> new Stop();
      case "/detach", "/quit", "/exit" -> new Detach();
      case "/help", "/?" -> new Help();
      case "/interrupt" -> withText(word, "interrupt", rest);
      case "/follow-up", "/later" -> withText(word, "follow_up", rest);
      case "/next" -> withText(word, "next", rest);
      case "/steer" -> withText(word, "steer", rest);
      case "/allow", "/yes", "/y" ->
          rest.isEmpty() ? new Reply("allow", "") : new Wrong(word + " takes no text");
      case "/deny", "/no", "/n" -> new Reply("deny", rest);
      case "/answer" -> rest.isEmpty() ? lacksText(word) : new Reply(rest, "");
      default -> new Wrong("unknown command " + word + "; /help lists all commands");
    };
  }

  private static TypedCommand withText(String word, String mode, String text) {
    return text.isEmpty() ? lacksText(word) : new Steer(mode, text);
  }

  private static TypedCommand lacksText(String word) {
    return new Wrong(word + " requires TEXT");
  }
}
