package dev.midcourse.hub.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.authority.Asker;
import dev.midcourse.core.authority.Group;
import dev.midcourse.core.authority.Role;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.hub.RawClient;
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

/** At a real door whose keeper believes what it is told, and whose clock stands still. */
class RateBoundsTest {
  private static final Map<String, Asker> KNOWN =
      Map.of(
          "main", new Asker.Main("test"),
          "stranger", new Asker.Stranger("who is that"),
          "run-1", worker("run-1"),
          "run-2", worker("run-2"),
          "lead-1", lead("lead-1"),
          "lead-2", lead("lead-2"));

  private Listener listener;

  private static Asker worker(String run) {
    return new Asker.Worker(GroupName.of("any"), RunId.of(run));
  }

  private static Asker lead(String name) {
    return new Asker.Member(
        new Group(GroupName.of(name), Role.LEAD, List.of()), "agent", Optional.empty());
  }

  private static final class Believing implements Doorkeeper {
    @Override
    public Asker admit(SocketChannel channel, Optional<String> authorization) {
      return Optional.ofNullable(KNOWN.get(authorization.orElseThrow())).orElseThrow();
    }

    @Override
    public boolean knowsByConnection() {
      return false;
    }
  }

  @BeforeEach
  void open() {
    listener =
        Listener.bind(
            new Door(
                "test",
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Set.of("localhost"),
                8));
    Routes routes = new Routes(List.of(Route.get("/api/it", "").by(_ -> Answer.ok("done"))));
    listener.open(
        new Front(
            routes,
            (_, _) -> Optional.empty(),
            (caller, _) -> caller,
            new RateBounds(() -> 1_000_000L)),
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

  /** Seen to fail when all but main share one bound. */
  @ParameterizedTest
  @ValueSource(strings = {"stranger", "run-1", "lead-1"})
  void who_floods_is_told_so_and_nobody_else(String flooder) {
    for (int i = 0; i < RateBounds.BURST; i++) {
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

  /** Seen to fail when nothing is forgotten. */
  @Test
  void of_many_agents_those_are_forgotten_that_were_silent_longest() {
    RateBounds bounds = new RateBounds(() -> 1_000_000L);
    Asker flooder = worker("flooder");
    for (int i = 0; i < RateBounds.BURST; i++) {
      bounds.lets(flooder);
    }
    for (int i = 0; i < 2 * RateBounds.MOST_AGENTS; i++) {
      assertThat(bounds.lets(worker("run-" + i))).isTrue();
      assertThat(bounds.lets(flooder)).isFalse();
    }
    assertThat(bounds.agents()).isEqualTo(RateBounds.MOST_AGENTS);
  }
}
