package dev.midcourse.channels.slack.api;

import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.connection.RetryLaterException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** What the errors of the web API mean. */
public final class SlackErrors {
  /** The token is worth nothing any more. */
  private static final Set<String> REVOKED =
      Set.of(
          "account_inactive",
          "app_uninstalled",
          "invalid_auth",
          "not_authed",
          "org_login_required",
          "team_access_not_granted",
          "token_expired",
          "token_revoked");

  /** A person must change the app. */
  private static final Set<String> SETUP =
      Set.of(
          "access_denied",
          "ekm_access_denied",
          "missing_scope",
          "no_permission",
          "not_allowed_token_type",
          "socket_mode_disabled",
          "app_not_found");

  /** The call was not carried out and may be later. */
  private static final Set<String> TRANSIENT = Set.of("service_unavailable", "team_added_to_org");

  /** Slack says itself that the call may have been carried out in part. */
  private static final Set<String> UNCLEAR =
      Set.of("fatal_error", "internal_error", "request_timeout");

  public static final String INSTALL_AGAIN =
      "Install the app into the workspace again (api.slack.com/apps, Install App), write the new"
          + " token into the token file, and restart the hub.";

  private SlackErrors() {}

  public static boolean isRevoked(String error) {
    return REVOKED.contains(error);
  }

  /** What is known about a message after this answer, which is not success. */
  public static SendResult sendResult(SlackAnswer answer) {
    return switch (answer) {
      case SlackAnswer.Done _ -> new SendResult.Unknown("Slack's answer names no message");
      case SlackAnswer.RateLimited(Duration delay) ->
          new SendResult.RetryAfter(delay, "Slack asks to wait");
      case SlackAnswer.Unclear(String reason) -> new SendResult.Unknown(reason);
      case SlackAnswer.Failed failed when TRANSIENT.contains(failed.error()) ->
          new SendResult.RetryAfter(Duration.ZERO, failed.shown());
      case SlackAnswer.Failed failed when UNCLEAR.contains(failed.error()) ->
          new SendResult.Unknown(failed.shown());
      case SlackAnswer.Failed failed -> new SendResult.Refused(failed.shown() + remedy(failed));
    };
  }

  private static String remedy(SlackAnswer.Failed failed) {
    return switch (failed.error()) {
      case "not_in_channel", "channel_not_found" ->
          "; invite the app into the channel: /invite @name";
      case "missing_scope" -> "; add the scope to the app and install it again";
      case "messages_tab_disabled" -> "; switch on App Home > Show Tabs > Messages Tab of the app";
      default -> "";
    };
  }

  /** The failure of a connection after this answer, which is not success. */
  public static Exception connectionFailure(SlackAnswer answer) {
    return switch (answer) {
      case SlackAnswer.Done _ -> new IOException("Slack's answer lacks a field");
      case SlackAnswer.RateLimited(Duration delay) ->
          new RetryLaterException("Slack asks to wait", delay);
      case SlackAnswer.Unclear(String reason) -> new IOException(reason);
      case SlackAnswer.Failed failed ->
          permanent(failed)
              .<Exception>map(it -> it)
              .orElseGet(() -> new IOException(failed.shown()));
    };
  }

  public static Optional<PermanentFailureException> permanent(SlackAnswer.Failed failed) {
    if (REVOKED.contains(failed.error())) {
      return Optional.of(new PermanentFailureException(failed.shown(), INSTALL_AGAIN));
    }
    if (SETUP.contains(failed.error())) {
      return Optional.of(
          new PermanentFailureException(
              failed.shown(),
              "Check Socket Mode, the scopes and the tokens of the app (midcourse channel test"
                  + " shows what is missing), and restart the hub."));
    }
    return Optional.empty();
  }
}
