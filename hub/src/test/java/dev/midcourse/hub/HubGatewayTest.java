package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.gateway.process.GatewayFolder;
import dev.midcourse.gateway.record.AttemptKey;
import dev.midcourse.gateway.record.RouteFolder;
import dev.midcourse.gateway.record.RouteSpec;
import dev.midcourse.hub.settings.HubArguments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gateway of a hub, from the settings to its process. */
class HubGatewayTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir Path data;

  @Test
  void a_hub_without_an_agent_behind_the_gateway_starts_none() {
    try (Hub hub = start()) {
      assertThat(hub.port()).isPositive();
      assertThat(data.resolve("gateway")).doesNotExist();
    }
  }

  @Test
  void a_gateway_with_no_agent_behind_it_ends_with_its_hub() throws Exception {
    needGateway();
    long pid;
    try (Hub hub = start()) {
      assertThat(hub.port()).isPositive();
      pid = pid();
      assertThat(isAlive(pid)).isTrue();
    }
    await().atMost(TIMEOUT).until(() -> !isAlive(pid));
  }

  @Test
  void a_gateway_with_an_agent_behind_it_is_adopted_by_the_next_hub() throws Exception {
    needGateway();
    AttemptKey key = AttemptKey.fresh();
    RouteFolder routes;
    long pid;
    try (Hub hub = start()) {
      assertThat(hub.port()).isPositive();
      routes = RouteFolder.open(folder().routes());
      routes.put(key, new RouteSpec("http://127.0.0.1:1", data.resolve("records")));
      pid = pid();
    }
    try (Hub next = start()) {
      assertThat(next.port()).isPositive();
      assertThat(isAlive(pid)).isTrue();
      assertThat(pid()).isEqualTo(pid);
      routes.remove(key);
    }
    await().atMost(TIMEOUT).until(() -> !isAlive(pid));
  }

  private void needGateway() throws IOException {
    Files.writeString(data.resolve("midcourse.toml"), "[agents.claude]\ngateway = \"on\"\n");
  }

  private Hub start() {
    return Hub.start(HubArguments.parse("--port", "0").settings(data, Map.of()));
  }

  private GatewayFolder folder() throws IOException {
    return GatewayFolder.open(data.resolve("gateway"));
  }

  private long pid() throws IOException {
    return folder().state().orElseThrow().pid();
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
  }
}
