package dev.midcourse.autopilot.catalogue;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.autopilot.forge.ForgeSettings;
import dev.midcourse.autopilot.forge.gitea.GiteaWebhook;
import dev.midcourse.autopilot.forge.github.GitHubHook;
import dev.midcourse.autopilot.forge.gitlab.GitLabWebhook;
import dev.midcourse.core.json.JsonInput;
import dev.midcourse.core.json.JsonValue;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads the events that forges send to the hub. An event only wakes: nothing in it is believed. */
public final class ForgeHooks {
  private ForgeHooks() {}

  /**
   * An event of a forge.
   *
   * @param project the project that it names; empty if it names none
   */
  public record Event(Optional<String> project) {}

  /**
   * Reads a request. Empty if its signature does not prove that it comes from the forge, or if no
   * secret is set.
   *
   * @param headers by lower-case name
   */
  public static Optional<Event> read(
      ForgeSettings forge, Map<String, String> headers, String body) {
    if (forge.hookSecret().isEmpty()) {
      return Optional.empty();
    }
    String secret = forge.hookSecret().get();
    byte[] bytes = body.getBytes(UTF_8);
    JsonValue.Obj payload =
        JsonInput.parse(body)
            .filter(JsonValue.Obj.class::isInstance)
            .map(JsonValue.Obj.class::cast)
            .orElse(JsonValue.Obj.EMPTY);
    return switch (forge.kind()) {
      case GITHUB ->
          GitHubHook.verify(secret, headers, bytes)
              .map(hook -> new Event(Optional.of(hook.project()).filter(it -> !it.isBlank())));
      case GITLAB ->
          Optional.of(new Event(GitLabWebhook.project(payload)))
              .filter(
                  _ -> GitLabWebhook.isAuthentic(secret, header(headers, GitLabWebhook.HEADER)));
      case GITEA, FORGEJO ->
          Optional.of(new Event(GiteaWebhook.project(payload)))
              .filter(_ ->
                  GiteaWebhook.isAuthentic(secret, bytes, header(headers, GiteaWebhook.HEADER)));
      case GERRIT -> Optional.empty();
    };
  }

  private static Optional<String> header(Map<String, String> headers, String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }
}
