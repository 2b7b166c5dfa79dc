package dev.midcourse.channels.slack.api;

import dev.midcourse.core.json.JsonValue;
import java.util.Map;
import java.util.Optional;

/**
 * The account of the bot.
 *
 * @param bot the id of the bot as an author; empty if Slack does not tell it
 */
public record SlackAccount(
    String team, String user, Optional<String> bot, String name, String workspace) {

  /** Asks Slack who the owner of the token is. */
  public static SlackAccount ask(SlackClient client) throws Exception {
    SlackAnswer answer = client.call("auth.test", Map.of());
    if (answer instanceof SlackAnswer.Done(JsonValue.Obj body, var _)) {
      Optional<SlackAccount> account = read(body);
      if (account.isPresent()) {
        return account.get();
      }
    }
    throw SlackErrors.connectionFailure(answer);
  }

  /** As {@link #ask}, as an answer; empty if the answer lacks the account. */
  public static Optional<SlackAccount> read(JsonValue.Obj body) {
    Optional<String> user = body.string("user_id").filter(SlackIds::isId);
    Optional<String> team = body.string("team_id").filter(SlackIds::isId);
    if (user.isEmpty() || team.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new SlackAccount(
            team.get(),
            user.get(),
            body.string("bot_id").filter(SlackIds::isId),
            SlackIds.name(body.string("user").orElse("")).orElse(user.get()),
            SlackIds.name(body.string("team").orElse("")).orElse(team.get())));
  }
}
