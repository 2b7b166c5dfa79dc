package dev.midcourse.channels.matrix;

import java.util.List;

/**
 * The account of the bot.
 *
 * @param user such as {@code @bot:example.org}
 * @param displayName may be empty
 */
record MatrixAccount(String user, String displayName) {

  /** How people write the bot in the text of a mention, the longest first. */
  List<String> names() {
    String local = user.substring(1, user.indexOf(':'));
    return List.of(user, displayName, local);
  }
}
