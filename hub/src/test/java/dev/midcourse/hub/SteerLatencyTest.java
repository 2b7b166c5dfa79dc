package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.engine.Engine;
import dev.midcourse.hub.metrics.SteerLatency;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The latency figures count the delivery of steers and nothing else. */
class SteerLatencyTest {
  private static final String WRITTEN = "durable_to_written";

  @TempDir private Path data;
  private HubFixture fixture;

  @BeforeEach
  void open() {
    fixture = HubFixture.open(data);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private long measured(String stage) {
    return fixture
        .socket()
        .get("/api/v1/health")
        .json()
        .path("latency")
        .path(stage)
        .path("count")
        .asLong(0);
  }

  private void awaitMeasured(String stage, long count) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(measured(stage)).as(stage).isEqualTo(count));
  }

  /** Seen to fail when the wait of a follow-up for the end of its turn is measured. */
  @Test
  void a_steer_that_waits_on_purpose_is_not_measured() {
    String run = fixture.run("$ sleep 1\n$ sleep 1");
    String steers = "/api/v1/runs/" + run + "/steers";
    fixture.socket().post(steers, "{\"text\":\"then this\",\"mode\":\"follow_up\"}");
    fixture.socket().post(steers, "{\"text\":\"now this\"}");
    assertThat(fixture.end(run)).isEqualTo("done");
    awaitMeasured("written_to_accepted", 2);
    assertThat(measured(WRITTEN)).isEqualTo(1);
  }

  /** Seen to fail when a hub begins to measure at the end of the log. */
  @Test
  void the_figures_of_the_last_hour_are_those_of_the_hub_before_too() {
    String run = fixture.run("$ sleep 1\n$ sleep 600");
    fixture
        .socket()
        .post("/api/v1/runs/" + run + "/steers?wait=injected&timeout=30s", "{\"text\":\"x\"}");
    awaitMeasured(WRITTEN, 1);
    try (SteerLatency next =
        new SteerLatency(
            fixture.hub().engine().ledger(),
            fixture.hub().engine().settings().host(),
            InstantSource.system())) {
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() ->
              assertThat(next.lastHour())
                  .hasEntrySatisfying(WRITTEN, figures -> assertThat(figures.count()).isOne()));
    }
  }

  /** Seen to fail when a hub does not read the stored counts of the one before. */
  @Test
  void the_time_until_a_steer_is_durable_survives_a_restart() {
    Engine engine = fixture.hub().engine();
    HostName host = HostName.of("elsewhere");
    Instant asked = Instant.now().minusMillis(8);
    SteerLatency first = new SteerLatency(engine.ledger(), host, InstantSource.system());
    first.stored(SteerId.of("6f1c2b4e-0000-4000-8000-000000000001"), asked, asked.plusMillis(8));
    Map<String, SteerLatency.Figures> before = first.lastHour();
    first.close();
    try (SteerLatency next = new SteerLatency(engine.ledger(), host, InstantSource.system())) {
      assertThat(before).containsKey("request_to_durable");
      assertThat(next.lastHour()).containsAllEntriesOf(before);
    }
  }
}
