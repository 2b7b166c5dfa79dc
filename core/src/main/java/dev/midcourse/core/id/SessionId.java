package dev.midcourse.core.id;

import java.util.regex.Pattern;

/** The id of an agent's session, as the agent itself names the session. */
public record SessionId(String value) {
  private static final IdRule RULE =
      new IdRule(
          "session_id",
          Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]*"),
          128,
          "1 to 128 letters, digits, '.', '_', ':' or '-', starting with a letter or digit,"
              + " without '..'");

  public SessionId {
    RULE.check(value);
  }

  public static SessionId of(String text) {
    return new SessionId(text);
  }

  @Override
  public String toString() {
    return value;
  }
}
