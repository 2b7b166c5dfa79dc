package dev.midcourse.core.steer;

import dev.midcourse.core.Problem;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.id.GroupName;
import java.util.regex.Pattern;

/**
 * The author of a request: a group and the interface it came through. It is stored with each
 * request and shown to the model.
 */
public record Author(GroupName group, String origin) {
  private static final Pattern ORIGIN = Pattern.compile("[a-z0-9][a-z0-9:._-]{0,63}");

  public Author {
    if (!ORIGIN.matcher(origin).matches()) {
      throw Problem.invalid(
              "origin",
              "1 to 64 lower-case letters, digits, ':', '.', '_' or '-'",
              "origin is invalid: got " + WireNames.shown(origin))
          .refused();
    }
  }

  /**
   * The author of news about workers. Midcourse writes them by itself, so they have no authority
   * over the run that gets them, and the words in them are not words of a user.
   */
  public static Author news() {
    return new Author(GroupName.of("midcourse"), "notices");
  }

  public boolean isNews() {
    return equals(news());
  }

  /** A person at the command line of this machine. */
  public static Author person(String origin) {
    return new Author(GroupName.of("main"), origin);
  }
}
