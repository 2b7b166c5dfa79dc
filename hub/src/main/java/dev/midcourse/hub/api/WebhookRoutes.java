package dev.midcourse.hub.api;

import dev.midcourse.channels.webhook.WebhookChannel;
import dev.midcourse.channels.webhook.WebhookChannel.Receipt;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.hub.http.ErrorResponses;
import dev.midcourse.hub.http.route.ApiCall;
import dev.midcourse.hub.http.route.ApiResponse;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.http.route.Route.Nothing;
import dev.midcourse.hub.http.route.Route.Raw;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The HTTP route of webhook channels. The signature of a request is its only proof; the token of
 * the hub is not needed and gives no right here.
 */
public final class WebhookRoutes {
  private static final String EXAMPLE =
      """
      {"message_id": "m1", "chat": {"id": "c1", "kind": "direct"}, "sender": {"id": "ann"}, \
      "text": "Fix the login."}\
      """;

  private final Map<String, WebhookChannel> channels;

  /**
   * @param channels the webhook channels by name
   */
  public WebhookRoutes(Map<String, WebhookChannel> channels) {
    this.channels = Map.copyOf(channels);
  }

  /** The answer to an update that is stored. */
  public record StoredUpdate(String state, Optional<String> text) {}

  public List<Route<?, ?>> routes() {
    return List.of(
        Route.post("/api/v1/channels/{channel}/messages", "Take an update of a webhook channel.")
            .takes(Raw.class, new Raw(EXAMPLE))
            .answers(
                200,
                "the update is stored, now or earlier",
                new StoredUpdate("stored", Optional.empty()))
            .forAnyone()
            .by(this::receive));
  }

  /** An unknown channel is answered like a wrong signature, so that nobody can list channels. */
  private ApiResponse receive(ApiCall<Raw, Nothing> call) {
    Receipt receipt =
        Optional.ofNullable(channels.get(call.path("channel")))
            .map(channel ->
                channel.receive(
                    header(call, WebhookChannel.TIMESTAMP),
                    header(call, WebhookChannel.SIGNATURE),
                    call.body().text()))
            .orElseGet(() -> new Receipt.NotAuthenticated("the signature is wrong"));
    return switch (receipt) {
      case Receipt.Stored(Optional<String> text) ->
          ApiResponse.ok(new StoredUpdate("stored", text));
      case Receipt.NotAuthenticated(String reason) -> unauthenticated(reason);
    };
  }

  private static Optional<String> header(ApiCall<?, ?> call, String name) {
    return call.header(name.toLowerCase(Locale.ROOT));
  }

  private static ApiResponse unauthenticated(String reason) {
    Problem problem =
        Problem.of(
            Code.FORBIDDEN, "signature", "a signature with the secret of the channel", reason);
    return new ApiResponse.Bytes(
        401, ErrorResponses.CONTENT_TYPE, ErrorResponses.of(401, problem).json(), Map.of());
  }
}
