package dev.midcourse.autopilot.forge.github;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.autopilot.forge.http.HookSignature;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A request by which GitHub tells that something has happened. It only wakes: the change is read
 * again, and nothing in the request is believed. GitHub may deliver it several times, or never.
 *
 * @param delivery the id of the delivery, which stays the same when it is repeated
 * @param event the name of the event: {@code check_run}
 * @param project {@code OWNER/NAME}; blank if the request names none
 * @param changes the numbers of the pull requests that it names
 * @param heads the commits that it names; a check of a fork names no pull request
 */
public record GitHubHook(
    String delivery, String event, String project, Set<String> changes, Set<String> heads) {
  private static final String SIGNATURE = "sha256=";
  private static final List<String> WITH_CHANGES =
      List.of("check_run", "check_suite", "workflow_run");

  public GitHubHook {
    changes = Set.copyOf(changes);
    heads = Set.copyOf(heads);
  }

  /**
   * Reads a request. Empty if its signature does not prove that it comes from GitHub, or if it is
   * no event.
   *
   * @param secret the secret that was set for the webhook
   * @param headers by lower-case name
   * @param body the bytes as they came
   */
  public static Optional<GitHubHook> verify(
      String secret, Map<String, String> headers, byte[] body) {
    String signature = headers.getOrDefault("x-hub-signature-256", "");
    String delivery = headers.getOrDefault("x-github-delivery", "");
    String event = headers.getOrDefault("x-github-event", "");
    if (!signature.startsWith(SIGNATURE)
        || !HookSignature.isHmac(secret, body, signature.substring(SIGNATURE.length()))
        || !delivery.matches("[A-Za-z0-9-]{1,100}")
        || !event.matches("[a-z0-9_]{1,100}")) {
      return Optional.empty();
    }
    JsonValue.Obj payload;
    try {
      payload = JsonReader.readObject(new String(body, UTF_8));
    } catch (JsonException e) {
      return Optional.empty();
    }
    return Optional.of(
        new GitHubHook(
            delivery,
            event,
            payload.object("repository").string("full_name").orElse(""),
            changes(payload),
            heads(payload)));
  }

  private static Set<String> changes(JsonValue.Obj payload) {
    Set<String> changes = new LinkedHashSet<>();
    payload.object("pull_request").number("number").ifPresent(n -> changes.add(n.toString()));
    if (!payload.object("issue").object("pull_request").fields().isEmpty()) {
      payload.object("issue").number("number").ifPresent(n -> changes.add(n.toString()));
    }
    for (String name : WITH_CHANGES) {
      for (JsonValue.Obj change : payload.object(name).objects("pull_requests")) {
        change.number("number").ifPresent(n -> changes.add(n.toString()));
      }
    }
    return changes;
  }

  private static Set<String> heads(JsonValue.Obj payload) {
    Set<String> heads = new LinkedHashSet<>();
    payload.object("pull_request").object("head").string("sha").ifPresent(heads::add);
    for (String name : WITH_CHANGES) {
      payload.object(name).string("head_sha").ifPresent(heads::add);
    }
    payload.object("merge_group").string("head_sha").ifPresent(heads::add);
    payload.string("sha").ifPresent(heads::add);
    return heads;
  }
}
