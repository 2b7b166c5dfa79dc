package dev.midcourse.hub.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.authority.Group;
import dev.midcourse.core.authority.Role;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.hub.RawClient;
import dev.midcourse.hub.http.route.ApiResponse;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.http.route.RouteTable;
import dev.midcourse.hub.http.server.Authenticator;
import dev.midcourse.hub.http.server.Endpoint;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A real server whose authenticator accepts every claimed identity, and a clock that stands still.
 */
class RateLimitersTest {
  private static final Map<String, Caller> KNOWN =
      Map.of(
          "main", new Caller.Main("test"),
          "stranger", new Caller.Unauthenticated("who is that"),
          "run-1", worker("run-1"),
          "run-2", worker("run-2"),
          "lead-1", lead("lead-1"),
          "lead-2", lead("lead-2"));

  private HttpListener listener;

  private static Caller worker(String run) {
    return new Caller.Worker(GroupName.of("any"), RunId.of(run));
  }

  private static Caller lead(String name) {
    return new Caller.Member(
        new Group(GroupName.of(name), Role.LEAD, List.of()), "agent", Optional.empty());
  }

  private static final class Believing implements Authenticator {
    @Override
    public ConnectionAuthenticator accepted(SocketChannel channel) {
      return authorization ->
          Optional.ofNullable(KNOWN.get(authorization.orElseThrow())).orElseThrow();
    }
  }

  @BeforeEach
  void open() {
    listener =
        HttpListener.bind(
            new Endpoint(
                "test",
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Set.of("localhost"),
                8));
    RouteTable routes =
        new RouteTable(List.of(Route.get("/api/it", "").by(_ -> ApiResponse.ok("done"))));
    listener.open(
        new ApiRequestHandler(
            routes,
            (_, _) -> Optional.empty(),
            (caller, _) -> caller,
            new RateLimiters(() -> 1_000_000L)),
        new Believing());
  }

  @AfterEach
  void close() {
    listener.close();
  }

  private int ask(String who) {
    return new RawClient(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.port()),
            Map.of("Authorization", who))
        .get("/api/it")
        .status();
  }

  /** Seen to fail when all groups except main share one limit. */
  @ParameterizedTest
  @ValueSource(strings = {"stranger", "run-1", "lead-1"})
  void a_flooding_caller_is_limited_and_no_other(String flooder) {
    for (int i = 0; i < RateLimiters.BURST; i++) {
      assertThat(ask(flooder)).isIn(200, 401);
    }
    assertThat(ask(flooder)).isEqualTo(429);
    for (String other : KNOWN.keySet()) {
      int status = ask(other);
      if (other.equals(flooder)) {
        assertThat(status).isEqualTo(429);
      } else {
        assertThat(status).as(other).isEqualTo(other.equals("stranger") ? 401 : 200);
      }
    }
  }

  /** Seen to fail when no limiter is ever removed. */
  @Test
  void of_many_agents_those_are_forgotten_that_were_silent_longest() {
    RateLimiters bounds = new RateLimiters(() -> 1_000_000L);
    Caller flooder = worker("flooder");
    for (int i = 0; i < RateLimiters.BURST; i++) {
      bounds.tryAcquire(flooder);
    }
    for (int i = 0; i < 2 * RateLimiters.MAX_AGENTS; i++) {
      assertThat(bounds.tryAcquire(worker("run-" + i))).isTrue();
      assertThat(bounds.tryAcquire(flooder)).isFalse();
    }
    assertThat(bounds.agents()).isEqualTo(RateLimiters.MAX_AGENTS);
  }
}
