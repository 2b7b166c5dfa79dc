package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.hub.settings.HubSettings;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The hub as a program. */
@Tag("slow")
class HubProcessTest {
  @TempDir Path temp;

  private Path data() {
    return temp.resolve("data");
  }

  /** A hub of the same folder ends the agents that a test left running. */
  @AfterEach
  void end_all_agents() {
    if (Files.exists(data().resolve("midcourse.db"))) {
      try (Hub hub = Hub.start(HubSettings.in(data()).withPort(0))) {
        RawClient person =
            new RawClient(
                java.net.UnixDomainSocketAddress.of(data().resolve("hub.sock")),
                java.util.Map.of());
        for (JsonNode run : person.get("/api/v1/runs?state=queued,running").json().path("runs")) {
          String id = run.path("run_id").asString("");
          person.post("/api/v1/runs/" + id + "/stop", "{\"wait\":true}");
        }
      }
    }
  }

  @Test
  void a_hub_that_is_shut_down_leaves_its_agent_running_and_the_next_one_steers_it()
      throws Exception {
    try (HubProcess first = HubProcess.start(data(), "--port", "0").up()) {
      first.client().post("/api/v1/runs", "{\"run_id\":\"long\",\"prompt\":\"$ sleep 600\"}");
      String steers = "/api/v1/runs/long/steers?wait=accepted&timeout=60s";
      assertThat(first.client().post(steers, "{\"text\":\"one\"}").text("rung"))
          .as("or further, when it arrived before the agent had begun to sleep")
          .isIn("accepted", "injected");
      first.terminate();
      assertThat(first.exit()).isEqualTo(143);
      assertThat(first.output()).contains("the agents of these runs keep running: long");
      assertThat(Files.readString(data().resolve("hub.log")))
          .contains("started at " + "http://127.0.0.1:")
          .contains("the agents of these runs keep running: long");
      assertThat(data().resolve("hub.sock")).doesNotExist();
      assertThat(data().resolve("hub.json")).doesNotExist();
      try (HubProcess second = HubProcess.start(data(), "--port", "0").up()) {
        assertThat(second.client().post(steers, "{\"text\":\"two\"}").text("rung"))
            .isEqualTo("accepted");
        JsonNode attempts =
            second.client().get("/api/v1/runs/long/attempts").json().path("attempts");
        assertThat(attempts).as("it is the same agent").hasSize(1);
      }
    }
  }

  /**
   * The agent waits for the end of the hub and starts the next one. Seen to fail when the hub does
   * not check who starts it.
   */
  @Test
  void an_agent_cannot_start_the_hub_of_its_own_run() throws Exception {
    Path script = temp.resolve("next-hub");
    Path begun = temp.resolve("begun");
    Path said = temp.resolve("said");
    try (HubProcess first = HubProcess.start(data(), "--port", "0").up()) {
      Files.writeString(
          script,
          """
          : > '%s'
          while kill -0 %d; do sleep 0.05; done
          MIDCOURSE_HOME='%s' timeout 60 '%s/bin/java' --enable-native-access=ALL-UNNAMED \\
            -cp '%s' %s --port 0 > '%s.part' 2>&1
          echo "exit $?" >> '%s.part'
          mv '%s.part' '%s'
          """
              .formatted(
                  begun,
                  first.pid(),
                  data(),
                  System.getProperty("java.home"),
                  System.getProperty("java.class.path"),
                  HubMain.class.getName(),
                  said,
                  said,
                  said,
                  said));
      first
          .client()
          .post("/api/v1/runs", "{\"run_id\":\"usurper\",\"prompt\":\"$ sh " + script + "\"}");
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(begun));
      first.kill();
    }
    Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> Files.exists(said));
    assertThat(Files.readString(said))
        .contains("a process of run usurper may not start the hub of that run")
        .endsWith("exit 1\n");
  }

  @Test
  void a_hub_without_runs_and_clients_ends_by_itself() throws Exception {
    Files.createDirectories(data());
    try (HubProcess hub = HubProcess.start(data(), "--port", "0", "--until-idle", "1s")) {
      assertThat(hub.exit()).isZero();
      assertThat(Files.readString(data().resolve("hub.log"))).contains("started at", "hub stopped");
      assertThat(data().resolve("hub.json")).doesNotExist();
    }
  }

  @Test
  void a_hub_with_a_live_run_does_not_end_by_itself() throws Exception {
    try (HubProcess hub = HubProcess.start(data(), "--port", "0", "--until-idle", "2s").up()) {
      hub.client().post("/api/v1/runs", "{\"run_id\":\"nap\",\"prompt\":\"$ sleep 4\"}");
      assertThat(hub.client().get("/api/v1/runs/nap?wait=end&timeout=60s").text("state"))
          .as("it outlived its idle time")
          .isEqualTo("done");
      assertThat(hub.exit()).isZero();
    }
  }

  @Test
  void a_shutdown_by_request_answers_and_ends_the_process_with_0() throws Exception {
    try (HubProcess hub = HubProcess.start(data(), "--port", "0").up()) {
      assertThat(hub.client().post("/api/v1/shutdown", "").status()).isEqualTo(200);
      assertThat(hub.exit()).isZero();
    }
  }

  @Test
  void a_second_hub_names_the_owner_of_the_folder_and_ends_with_1() throws Exception {
    try (HubProcess first = HubProcess.start(data(), "--port", "0").up();
        HubProcess second = HubProcess.start(data(), "--port", "0")) {
      assertThat(second.exit()).isEqualTo(1);
      assertThat(second.output())
          .contains("another hub (process " + first.pid() + ", " + first.url() + ") uses " + data())
          .doesNotContain("\tat ");
    }
  }

  @Test
  void a_wrong_use_ends_with_2_and_says_how_it_is_used() throws Exception {
    Files.createDirectories(data());
    try (HubProcess hub = HubProcess.start(data(), "--colour")) {
      assertThat(hub.exit()).isEqualTo(2);
      assertThat(hub.output()).contains("--colour").contains("usage: midcourse serve");
    }
  }

  /** Seen to fail when an Error in a request is only answered with status 500. */
  @Test
  void a_hub_with_a_class_that_cannot_be_loaded_ends_and_the_next_one_continues() throws Exception {
    Path broken = temp.resolve("broken");
    Path metrics = Files.createDirectories(broken.resolve("dev/midcourse/hub/metrics"));
    Files.writeString(metrics.resolve("PrometheusText.class"), "not a class");
    try (HubProcess hub = HubProcess.startWithClasses(broken, data(), "--port", "0").up()) {
      hub.client().post("/api/v1/runs", "{\"run_id\":\"stays\",\"prompt\":\"$ sleep 600\"}");
      try {
        hub.client().get("/api/v1/metrics");
      } catch (IllegalStateException | UncheckedIOException withoutAnswer) {
        // It may end before it has answered.
      }
      assertThat(hub.exit()).isEqualTo(3);
    }
    try (HubProcess next = HubProcess.start(data(), "--port", "0").up()) {
      assertThat(next.client().get("/api/v1/runs/stays").text("state")).isIn("queued", "running");
      next.client().post("/api/v1/runs/stays/stop", "{\"wait\":true}");
    }
    assertThat(Files.readString(data().resolve("hub.log"))).contains("PrometheusText");
  }
}
