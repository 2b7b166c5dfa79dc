package dev.midcourse.core.loop.remote;

import java.util.Locale;

/** Logins of people and programs, as forges write them in different places. */
final class Logins {
  private static final String BOT = "[bot]";
  private static final String COPILOT_REVIEWER = "copilot-pull-request-reviewer";
  private static final String COPILOT = "copilot";

  private Logins() {}

  /** Whether both name the same account: Copilot's reviewer has three names at GitHub. */
  static boolean same(String one, String other) {
    return canonical(one).equals(canonical(other));
  }

  private static String canonical(String login) {
    String lower = login.toLowerCase(Locale.ROOT);
    String name = lower.endsWith(BOT) ? lower.substring(0, lower.length() - BOT.length()) : lower;
    return name.equals(COPILOT_REVIEWER) ? COPILOT : name;
  }
}
