package dev.midcourse.autopilot.forge.gitea;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.autopilot.forge.http.HookSignature;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue.Obj;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A request by which Gitea or Forgejo tells that something has happened. It only wakes: the change
 * is read again, and nothing in the request is believed. It may come several times, or never.
 *
 * @param delivery the id of the delivery; blank if the request has none
 * @param event the name of the event: {@code pull_request}
 * @param project the full name of the project; blank if the request names none
 * @param changes the numbers of the changes that it names
 * @param heads the commits that it names
 */
public record GiteaHook(
    String delivery, String event, String project, Set<String> changes, Set<String> heads) {
  public GiteaHook {
    changes = Set.copyOf(changes);
    heads = Set.copyOf(heads);
  }

  /**
   * Reads a request. Empty if its signature does not prove that it comes from the forge, or if it
   * is no event.
   *
   * @param secret the secret that was set for the webhook
   * @param headers by lower-case name
   * @param body the bytes as they came
   */
  public static Optional<GiteaHook> verify(
      String secret, Map<String, String> headers, byte[] body) {
    if (!isAuthentic(secret, headers, body)) {
      return Optional.empty();
    }
    Obj payload;
    try {
      payload = JsonReader.readObject(new String(body, UTF_8));
    } catch (JsonException e) {
      return Optional.empty();
    }
    return Optional.of(read(headers, payload));
  }

  /** The signature is in hexadecimal digits and nothing else. Forgejo has the same headers. */
  private static boolean isAuthentic(String secret, Map<String, String> headers, byte[] body) {
    return HookSignature.isHmac(secret, body, headers.getOrDefault("x-gitea-signature", ""));
  }

  private static GiteaHook read(Map<String, String> headers, Obj payload) {
    Set<String> changes = new LinkedHashSet<>();
    Set<String> heads = new LinkedHashSet<>();
    Obj pull = payload.object("pull_request");
    pull.text("number").ifPresent(changes::add);
    pull.object("head").string("sha").ifPresent(heads::add);
    if (payload.is("is_pull")) {
      payload.object("issue").text("number").ifPresent(changes::add);
    }
    payload.string("sha").ifPresent(heads::add);
    payload.string("after").ifPresent(heads::add);
    return new GiteaHook(
        headers.getOrDefault("x-gitea-delivery", ""),
        headers.getOrDefault("x-gitea-event", ""),
        payload.object("repository").string("full_name").orElse(""),
        changes,
        heads);
  }
}
