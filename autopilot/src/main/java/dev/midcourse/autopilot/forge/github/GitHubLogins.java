package dev.midcourse.autopilot.forge.github;

import dev.midcourse.core.json.JsonValue;
import java.util.Locale;
import java.util.Set;

/**
 * The logins of people and programs, which GitHub writes in several ways: GraphQL leaves out the
 * {@code [bot]} of a program, and Copilot has three names.
 */
final class GitHubLogins {
  /** The name of Copilot as reviewer here, whatever GitHub calls it. */
  static final String COPILOT = "copilot";

  /** The only name by which Copilot can be asked for a review. */
  private static final String COPILOT_TO_ASK = "copilot-pull-request-reviewer[bot]";

  private static final Set<String> COPILOT_NAMES =
      Set.of(COPILOT, "copilot-pull-request-reviewer", COPILOT_TO_ASK);
  private static final String BOT = "Bot";
  private static final String BOT_ENDING = "[bot]";

  private GitHubLogins() {}

  /** The login of a user as REST describes it; {@code ghost} for a deleted one. */
  static String ofRest(JsonValue.Obj user) {
    return named(user.string("login").orElse("ghost"), isRestBot(user));
  }

  static boolean isRestBot(JsonValue.Obj user) {
    return user.string("type").filter(BOT::equals).isPresent();
  }

  /** The login of an actor as GraphQL describes it; {@code ghost} for a deleted one. */
  static String ofGraphQl(JsonValue.Obj actor) {
    return named(actor.string("login").orElse("ghost"), isGraphQlBot(actor));
  }

  static boolean isGraphQlBot(JsonValue.Obj actor) {
    return actor.string("__typename").filter(BOT::equals).isPresent();
  }

  private static String named(String login, boolean bot) {
    if (bot && COPILOT_NAMES.contains(login.toLowerCase(Locale.ROOT))) {
      return COPILOT;
    }
    return bot && !login.endsWith(BOT_ENDING) ? login + BOT_ENDING : login;
  }

  /** The reviewer as the rest of Midcourse names it. A leading @ is left out. */
  static String reviewer(String asked) {
    String login = asked.startsWith("@") ? asked.substring(1) : asked;
    return COPILOT_NAMES.contains(login.toLowerCase(Locale.ROOT)) ? COPILOT : login;
  }

  /** The reviewer as GitHub wants to be asked for it. */
  static String toAsk(String reviewer) {
    return reviewer.equals(COPILOT) ? COPILOT_TO_ASK : reviewer;
  }
}
