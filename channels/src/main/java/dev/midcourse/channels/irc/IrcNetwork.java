package dev.midcourse.channels.irc;

import dev.midcourse.core.Utf8;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What a server told about itself and about us. The session writes it; senders read it. */
final class IrcNetwork {
  private static final int MAX_LINE = 512;

  /** Room for our user name and host name, until a line of ours has shown them. */
  private static final int UNKNOWN_SOURCE = 1 + 12 + 1 + 64;

  private static final int DEFAULT_HISTORY = 100;

  private final Set<String> capabilities = ConcurrentHashMap.newKeySet();
  private final Set<String> rooms = ConcurrentHashMap.newKeySet();
  private volatile String nick;
  private volatile String roomMarks = "#&";
  private volatile boolean asciiOnly;
  private volatile int sourceBytes;
  private volatile int maxHistory = DEFAULT_HISTORY;
  private volatile String botMode = "";

  IrcNetwork(String nick) {
    this.nick = nick;
  }

  boolean has(IrcCapability capability) {
    return capabilities.contains(capability.wire());
  }

  void add(String capability) {
    capabilities.add(capability);
  }

  void remove(String capability) {
    capabilities.remove(capability);
  }

  String nick() {
    return nick;
  }

  void setNick(String now) {
    nick = now;
    sourceBytes = 0;
  }

  /** The rooms in which we are, folded. */
  Set<String> rooms() {
    return rooms;
  }

  boolean isRoom(String target) {
    return !target.isEmpty() && roomMarks.indexOf(target.charAt(0)) >= 0;
  }

  boolean isUs(String otherNick) {
    return fold(otherNick).equals(fold(nick));
  }

  /** The name in the form in which names that mean the same are equal. */
  String fold(String name) {
    String folded = name.toLowerCase(Locale.ROOT);
    return asciiOnly
        ? folded
        : folded.replace('{', '[').replace('}', ']').replace('|', '\\').replace('^', '~');
  }

  /** How many messages the server gives at once. */
  int maxHistory() {
    return maxHistory;
  }

  /** The letter of the mode that marks a bot; empty if there is none. */
  String botMode() {
    return botMode;
  }

  /** Takes a line of ours that came back: others see the same source. */
  void sawSource(String source) {
    sourceBytes = Utf8.length(source);
  }

  /** How many bytes the text of a message to this target may have. */
  int maxText(String target) {
    int source = sourceBytes > 0 ? sourceBytes : Utf8.length(nick) + UNKNOWN_SOURCE;
    int frame =
        ":".length() + source + " PRIVMSG ".length() + Utf8.length(target) + " :\r\n".length();
    return Math.max(100, MAX_LINE - frame);
  }

  /** Reads line 005: the name of each setting, an equals sign and its value. */
  void readSettings(IrcLine line) {
    for (String setting : line.params()) {
      int equals = setting.indexOf('=');
      String value = equals < 0 ? "" : setting.substring(equals + 1);
      switch (equals < 0 ? setting : setting.substring(0, equals)) {
        case "CHANTYPES" -> roomMarks = value;
        case "CASEMAPPING" ->
            asciiOnly = !value.startsWith("rfc1459") && !value.startsWith("strict");
        case "CHATHISTORY" -> maxHistory = number(value);
        case "BOT" -> botMode = value.matches("[A-Za-z]") ? value : "";
        default -> {} // the others do not matter here
      }
    }
  }

  private static int number(String text) {
    boolean isPositive = text.matches("[1-9]\\d{0,5}");
    return isPositive ? Math.min(DEFAULT_HISTORY, Integer.parseInt(text)) : DEFAULT_HISTORY;
  }
}
