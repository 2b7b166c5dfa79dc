package dev.midcourse.autopilot.forge.gitlab;

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
 * A request by which GitLab tells that something has happened. It only wakes: the change is read
 * again, and nothing in the request is believed. It may come several times, or never.
 *
 * @param delivery the id of the delivery; blank if the request has none
 * @param event the name of the event: {@code Merge Request Hook}
 * @param project the full name of the project; blank if the request names none
 * @param changes the numbers of the changes that it names
 * @param heads the commits that it names
 */
public record GitLabHook(
    String delivery, String event, String project, Set<String> changes, Set<String> heads) {
  public GitLabHook {
    changes = Set.copyOf(changes);
    heads = Set.copyOf(heads);
  }

  /**
   * Reads a request. Empty if it does not have the secret, or if it is no event.
   *
   * @param secret the secret that was set for the webhook
   * @param headers by lower-case name
   * @param body the bytes as they came
   */
  public static Optional<GitLabHook> verify(
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

  /** GitLab signs nothing: it sends the secret itself. */
  private static boolean isAuthentic(String secret, Map<String, String> headers, byte[] body) {
    return !secret.isEmpty()
        && body.length > 0
        && HookSignature.isSame(secret, headers.getOrDefault("x-gitlab-token", ""));
  }

  private static GitLabHook read(Map<String, String> headers, Obj payload) {
    Set<String> changes = new LinkedHashSet<>();
    Set<String> heads = new LinkedHashSet<>();
    Obj attributes = payload.object("object_attributes");
    if (payload.string("object_kind").orElse("").equals("merge_request")) {
      attributes.text("iid").ifPresent(changes::add);
      attributes.object("last_commit").string("id").ifPresent(heads::add);
    }
    payload.object("merge_request").text("iid").ifPresent(changes::add);
    attributes.string("sha").ifPresent(heads::add);
    payload.string("sha").ifPresent(heads::add);
    payload.string("checkout_sha").ifPresent(heads::add);
    return new GitLabHook(
        headers.getOrDefault("x-gitlab-event-uuid", ""),
        headers.getOrDefault("x-gitlab-event", ""),
        payload.object("project").string("path_with_namespace").orElse(""),
        changes,
        heads);
  }
}
