package dev.midcourse.channels.irc;

import java.util.Optional;

/**
 * The id of a chat: the name of a room, or the nick of a person with {@code @} and the account, so
 * that the next holder of the nick is in another chat.
 *
 * @param target to whom lines are sent
 * @param account the account that the target must have; empty if it does not matter
 */
record IrcChat(String target, Optional<String> account) {

  static String direct(String nick, Optional<String> account) {
    return account.map(owner -> nick + "@" + owner).orElse(nick);
  }

  static IrcChat parse(String id, IrcNetwork network) {
    int at = id.indexOf('@');
    return at < 0 || network.isRoom(id)
        ? new IrcChat(id, Optional.empty())
        : new IrcChat(id.substring(0, at), Optional.of(id.substring(at + 1)));
  }

  /** Whether lines can be sent there: no name that would add a target or a parameter. */
  boolean isValid() {
    return target.matches("[^\\s,:\\x00-\\x20\\x7f][^\\s,\\x00-\\x20\\x7f]{0,199}");
  }
}
