package dev.midcourse.hub.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.hub.Hub;
import dev.midcourse.hub.HubProcess;
import dev.midcourse.hub.RawClient;
import dev.midcourse.hub.settings.HubSettings;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** No entry of a list is lost or doubled when the hub is killed. */
@Tag("slow")
@SuppressWarnings("NullAway.Init")
class KilledHubTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path temp;

  private TestRedis redis;
  private HoldingProxy proxy;

  @BeforeEach
  void start() throws IOException {
    redis = TestRedis.in(temp.resolve("redis"));
    proxy = new HoldingProxy(redis.port());
    Files.createDirectories(data());
    Files.writeString(
        data().resolve("midcourse.toml"),
        "hub.default_agent = \"rehearsal\"\n" + TestRedis.settings(proxy.port()));
  }

  @AfterEach
  void end() throws IOException {
    proxy.close();
    redis.close();
    try (Hub hub = Hub.start(HubSettings.in(data()).withPort(0))) {
      client().post("/api/v1/runs/long/stop", "{\"wait\":true}");
    }
  }

  private Path data() {
    return temp.resolve("data");
  }

  private RawClient client() {
    return new RawClient(UnixDomainSocketAddress.of(data().resolve("hub.sock")), Map.of());
  }

  private HubProcess hub() throws IOException {
    return HubProcess.start(data(), "--port", "0").up();
  }

  private List<String> texts() {
    return client()
        .get("/api/v1/runs/long/steers")
        .json()
        .path("steers")
        .valueStream()
        .map(steer -> steer.path("text").asString(""))
        .toList();
  }

  private void startRun() {
    client().post("/api/v1/runs", "{\"run_id\":\"long\",\"prompt\":\"$ sleep 600\"}");
    redis.push("long", "first");
    await("the first").atMost(LONG).until(() -> texts().equals(List.of("first")));
    await("its removal").atMost(LONG).until(() -> lists().isEmpty());
  }

  private List<String> lists() {
    return redis.keys().stream().filter(key -> key.startsWith("steering:")).toList();
  }

  @Test
  void a_hub_killed_between_move_and_commit_loses_and_doubles_nothing() throws Exception {
    try (HubProcess killed = hub()) {
      startRun();
      proxy.holdAnswerTo(RedisScript.TAKE);
      redis.push("long", "second");
      proxy.awaitHeld();
      await("the move")
          .atMost(LONG)
          .until(() -> lists().equals(List.of("steering:processing:long")));
      killed.kill();
    }
    proxy.letGo();
    try (HubProcess _ = hub()) {
      redis.push("long", "third");
      await("the third").atMost(LONG).until(() -> texts().contains("third"));
      assertThat(texts()).containsExactly("first", "second", "third");
      await("no list").atMost(LONG).until(() -> lists().isEmpty());
    }
  }

  /** Seen to fail when a steer has no key, or a new one each time it is taken. */
  @Test
  void t208_a_hub_killed_between_commit_and_removal_loses_and_doubles_nothing() throws Exception {
    try (HubProcess killed = hub()) {
      startRun();
      proxy.holdRequestOf(RedisScript.REMOVE);
      redis.push("long", "second");
      proxy.awaitHeld();
      assertThat(texts()).containsExactly("first", "second");
      assertThat(lists()).containsExactly("steering:processing:long");
      killed.kill();
    }
    proxy.letGo();
    try (HubProcess _ = hub()) {
      redis.push("long", "third");
      await("the third").atMost(LONG).until(() -> texts().contains("third"));
      assertThat(texts()).containsExactly("first", "second", "third");
      await("no list").atMost(LONG).until(() -> lists().isEmpty());
    }
  }

  @Test
  void a_hub_killed_at_any_moment_keeps_all_entries_in_their_order() throws Exception {
    long seed = Long.getLong("midcourse.seed", System.currentTimeMillis() % 1_000_000);
    Random random = new Random(seed);
    List<String> expected = new ArrayList<>(List.of("first"));
    HubProcess hub = hub();
    try {
      startRun();
      for (int round = 0; round < 4; round++) {
        int entries = 20 + random.nextInt(100);
        for (int i = 0; i < entries; i++) {
          String text = "round " + round + " entry " + i;
          expected.add(text);
          redis.push("long", text);
        }
        int enough = expected.size() - random.nextInt(entries);
        await("some, seed " + seed).atMost(LONG).until(() -> texts().size() >= enough);
        hub.kill();
        hub = hub();
      }
      await("all, seed " + seed).atMost(LONG).until(() -> texts().size() >= expected.size());
      await("no list").atMost(LONG).until(() -> lists().isEmpty());
      assertThat(texts()).as("seed " + seed).isEqualTo(expected);
    } finally {
      hub.close();
    }
  }
}
