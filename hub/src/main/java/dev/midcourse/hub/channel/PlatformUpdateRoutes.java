package dev.midcourse.hub.channel;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.http.HttpReceiver;
import dev.midcourse.channels.http.HttpReceiver.HttpCall;
import dev.midcourse.channels.http.HttpReceiver.HttpReply;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.hub.http.route.ApiCall;
import dev.midcourse.hub.http.route.ApiResponse;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.http.route.Route.RawQuery;
import dev.midcourse.hub.http.route.Route.SignedBody;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The requests that platforms make to the hub. The channel authenticates each of them; the token of
 * the hub is not needed and gives no right here.
 */
public final class PlatformUpdateRoutes {
  private static final String PATH = "/api/v1/channels/{channel}/updates";
  private static final HttpReply NOT_AUTHENTICATED =
      HttpReply.text(401, "the request is not authenticated\n");

  private final PlatformChannels channels;

  public PlatformUpdateRoutes(PlatformChannels channels) {
    this.channels = channels;
  }

  public List<Route<?, ?>> routes() {
    return List.of(
        Route.post(PATH, "Take a request of a chat platform.")
            .takes(SignedBody.class, new SignedBody("{}"))
            .with(RawQuery.class)
            .answers(200, "what the platform expects", "text/plain", "")
            .forAnyone()
            .by(call -> answer("POST", call, call.query(), call.body().text())),
        Route.get(PATH, "Confirm the address to a chat platform.")
            .with(RawQuery.class)
            .answers(200, "what the platform expects", "text/plain", "")
            .forAnyone()
            .by(call -> answer("GET", call, call.query(), "")));
  }

  /** An unknown channel is answered like a wrong signature, so that nobody can list channels. */
  private ApiResponse answer(String method, ApiCall<?, ?> call, RawQuery query, String body) {
    HttpReply reply =
        receiver(call.path("channel"))
            .map(channel ->
                channel.receive(new HttpCall(method, call.headers(), query.values(), body)))
            .orElse(NOT_AUTHENTICATED);
    return new ApiResponse.Bytes(
        reply.status(), reply.contentType(), reply.body().getBytes(UTF_8), Map.of());
  }

  private Optional<HttpReceiver> receiver(String name) {
    try {
      return channels.receiver(ChannelName.of(name));
    } catch (RefusedException noName) {
      return Optional.empty();
    }
  }
}
