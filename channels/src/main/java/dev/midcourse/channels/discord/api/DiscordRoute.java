package dev.midcourse.channels.discord.api;

/**
 * A call of the HTTP API, as its limits know it.
 *
 * @param method GET, POST, PUT, PATCH or DELETE
 * @param path below the address of the API, with a slash at its start
 */
public record DiscordRoute(String method, String path) {

  /** The call itself: the same call again has the same answer when it is forbidden. */
  public String call() {
    return method + " " + withoutQuery();
  }

  /** The channel, guild or webhook by which Discord limits calls of the same kind. */
  String major() {
    String[] parts = withoutQuery().split("/", -1);
    return parts.length > 2 ? parts[1] + "/" + parts[2] : "";
  }

  /** Names the limit of the call: all calls that differ in their lesser ids only share it. */
  public String limit() {
    String rest = withoutQuery().substring(Math.min(withoutQuery().length(), major().length() + 1));
    String template = rest.replaceAll("/\\d{5,20}", "/:id");
    int reaction = template.indexOf("/reactions/");
    return method + " " + major() + (reaction < 0 ? template : template.substring(0, reaction));
  }

  private String withoutQuery() {
    int query = path.indexOf('?');
    return query < 0 ? path : path.substring(0, query);
  }
}
