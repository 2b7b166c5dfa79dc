package dev.midcourse.autopilot.forge.gitlab;

import dev.midcourse.autopilot.forge.http.HookSignature;
import dev.midcourse.core.json.JsonValue.Obj;
import java.util.Optional;

/** A request of GitLab to the hub. It only says that something has happened to a change. */
public final class GitLabWebhook {
  /** The header that has the secret which was given to GitLab. */
  public static final String HEADER = "X-Gitlab-Token";

  private GitLabWebhook() {}

  /**
   * Returns whether the request comes from GitLab. Takes the same time for every wrong secret.
   *
   * @param header the value of {@link #HEADER}
   */
  public static boolean isAuthentic(String secret, Optional<String> header) {
    return !secret.isEmpty() && header.filter(it -> HookSignature.isSame(secret, it)).isPresent();
  }

  /** The number of the merge request that an event is about; empty if it names none. */
  public static Optional<String> change(Obj event) {
    if (event.string("object_kind").orElse("").equals("merge_request")) {
      return event.object("object_attributes").text("iid");
    }
    return event.object("merge_request").text("iid");
  }

  /** The full path of the project of an event. */
  public static Optional<String> project(Obj event) {
    return event.object("project").string("path_with_namespace");
  }
}
