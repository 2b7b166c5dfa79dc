package dev.midcourse.autopilot.forge.gitea;

import dev.midcourse.autopilot.forge.http.HookSignature;
import dev.midcourse.core.json.JsonValue.Obj;
import java.util.Optional;

/** A request of Gitea or Forgejo to the hub. It only says that something has happened. */
public final class GiteaWebhook {
  /** The header that has the HMAC-SHA256 of the body, in hexadecimal digits and nothing else. */
  public static final String HEADER = "X-Gitea-Signature";

  private GiteaWebhook() {}

  /**
   * Returns whether the request comes from the forge. Takes the same time for every wrong
   * signature.
   *
   * @param header the value of {@link #HEADER}, which Forgejo sends too
   */
  public static boolean isAuthentic(String secret, byte[] body, Optional<String> header) {
    return header.filter(it -> HookSignature.isHmac(secret, body, it)).isPresent();
  }

  /** The number of the pull request that an event is about; empty if it names none. */
  public static Optional<String> change(Obj event) {
    return event
        .object("pull_request")
        .text("number")
        .or(() -> event.is("is_pull") ? event.object("issue").text("number") : Optional.empty());
  }

  /** Owner and name of the repository of an event. */
  public static Optional<String> project(Obj event) {
    return event.object("repository").string("full_name");
  }
}
