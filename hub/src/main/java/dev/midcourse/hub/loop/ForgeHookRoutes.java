package dev.midcourse.hub.loop;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.hub.http.route.ApiCall;
import dev.midcourse.hub.http.route.ApiResponse;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.http.route.Route.Nothing;
import dev.midcourse.hub.http.route.Route.SignedBody;
import java.util.List;
import java.util.Map;

/**
 * The events of forges. The signature of the forge authenticates each of them; the token of the hub
 * is not needed and gives no right here. An event only makes loops look at their changes sooner.
 */
public final class ForgeHookRoutes {
  private final LoopOperations operations;

  public ForgeHookRoutes(LoopOperations operations) {
    this.operations = operations;
  }

  public List<Route<?, ?>> routes() {
    return List.of(
        Route.post("/api/v1/hooks/{forge}", "Take an event of a forge.")
            .takes(SignedBody.class, new SignedBody("{}"))
            .answers(200, "the event was taken", "text/plain", "")
            .forAnyone()
            .by(this::take));
  }

  /** An unknown forge is answered like a wrong signature, so that nobody can list forges. */
  private ApiResponse take(ApiCall<SignedBody, Nothing> call) {
    boolean taken = operations.wake(call.path("forge"), call.headers(), call.body().text());
    String text = taken ? "taken\n" : "the request is not authenticated\n";
    return new ApiResponse.Bytes(
        taken ? 200 : 401, "text/plain; charset=utf-8", text.getBytes(UTF_8), Map.of());
  }
}
