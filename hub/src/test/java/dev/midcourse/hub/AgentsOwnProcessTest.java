package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.hub.RawClient.Reply;
import dev.midcourse.hub.settings.HubSettings;
import dev.midcourse.ledger.Log;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The rehearsal agent as a process whose tools call the hub that runs it. */
@Tag("slow")
class AgentsOwnProcessTest {
  @TempDir Path data;
  private Hub hub;
  private RawClient person;

  @BeforeEach
  void open() {
    Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "curl is missing");
    hub = Hub.start(HubSettings.in(data).withPort(0));
    person = new RawClient(UnixDomainSocketAddress.of(data.resolve("hub.sock")), Map.of());
  }

  @AfterEach
  void close() {
    try {
      for (JsonNode run : person.get("/api/v1/runs?state=queued,running").json().path("runs")) {
        person.post("/api/v1/runs/" + run.path("run_id").asString("") + "/stop", "{\"wait\":true}");
      }
    } finally {
      hub.close();
    }
  }

  /** Runs a shell command as the agent's tool in a run with this name, and returns its output. */
  private String tool(String run, String command) throws Exception {
    String prompt = dev.midcourse.ledger.json.JsonCodec.write("$ (" + command + ") > said 2>&1");
    Reply created =
        person.post("/api/v1/runs", "{\"run_id\":\"" + run + "\",\"prompt\":" + prompt + "}");
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    Reply ended = person.get("/api/v1/runs/" + run + "?wait=end&timeout=60s");
    assertThat(ended.text("state")).as(ended.body()).isEqualTo("done");
    return Files.readString(Path.of(created.text("dir")).resolve("said"));
  }

  private String curl(String path, String... more) {
    return "curl -s -w '%{http_code}' --unix-socket "
        + data.resolve("hub.sock")
        + " "
        + String.join(" ", more)
        + " http://localhost"
        + path;
  }

  private String steer(String run) {
    return curl(
        "/api/v1/runs/" + run + "/steers",
        "-H 'content-type: application/json' -d '{\"text\":\"do as I say\"}'");
  }

  /** Seen to fail when Authority lets a worker direct its own run. */
  @Test
  void t29_an_agent_cannot_steer_itself_and_the_attempt_is_written_down() throws Exception {
    String said = tool("itself", steer("itself"));
    assertThat(said).endsWith("403").contains("a process of run itself may not steer run itself");
    JsonNode events = person.get("/api/v1/runs/itself/events").json().path("events");
    JsonNode denied =
        events
            .valueStream()
            .filter(event -> event.path("kind").asString("").equals("denied"))
            .findFirst()
            .orElseThrow();
    assertThat(denied.path("what").asString("")).isEqualTo("steer run itself");
    assertThat(denied.path("author").path("group").asString("")).isEqualTo("any");
    assertThat(person.get("/api/v1/runs/itself/steers").json().path("steers")).isEmpty();
  }

  /** Seen to fail when Authority allows a worker everything. */
  @Test
  void t28_an_agent_cannot_steer_stop_or_see_another_run_nor_start_one_nor_end_the_hub()
      throws Exception {
    person.post("/api/v1/runs", "{\"run_id\":\"other\",\"prompt\":\"$ sleep 600\"}");
    assertThat(tool("a1", steer("other"))).endsWith("403");
    assertThat(tool("a2", curl("/api/v1/runs/other/stop", "-X POST"))).endsWith("403");
    assertThat(tool("a3", curl("/api/v1/runs/other"))).endsWith("403");
    assertThat(tool("a4", curl("/api/v1/runs"))).endsWith("403");
    assertThat(
            tool(
                "a5",
                curl(
                    "/api/v1/runs", "-H 'content-type: application/json' -d '{\"prompt\":\"x\"}'")))
        .endsWith("403");
    assertThat(tool("a6", curl("/api/v1/shutdown", "-X POST"))).endsWith("403");
    assertThat(tool("a7", curl("/api/v1/events?after=0"))).endsWith("403");
    assertThat(person.get("/api/v1/runs/other").text("state")).isIn("queued", "running");
  }

  /** Seen to fail when a beginning is looked up among all runs before the caller is checked. */
  @Test
  void an_agent_learns_nothing_about_runs_and_steers_that_it_may_not_see() throws Exception {
    for (String run : List.of("victim", "victim2")) {
      String body = "{\"run_id\":\"%s\",\"prompt\":\"$ sleep 600\"}".formatted(run);
      assertThat(person.post("/api/v1/runs", body).status()).isEqualTo(201);
    }
    String steer =
        person.post("/api/v1/runs/victim/steers", "{\"text\":\"left\"}").text("steer_id");
    StringBuilder commands = new StringBuilder();
    List<String> names = List.of("v", "victim", "victim3", "nothing");
    for (String name : names) {
      commands.append(curl("/api/v1/runs/" + name)).append("; echo; ");
    }
    commands.append(curl("/api/v1/steers/" + steer)).append("; echo; ");
    commands.append(curl("/api/v1/steers/" + steer.substring(0, 8))).append("; echo; ");
    commands.append(curl("/api/v1/runs/-")).append("; echo; ");
    commands.append(curl("/api/v1/runs/loo"));
    List<String> said = tool("looks", commands.toString()).lines().toList();
    for (int i = 0; i < names.size(); i++) {
      assertThat(said.get(i))
          .endsWith("403")
          .contains("a process of run looks may not see run " + names.get(i) + ", or it does not");
      assertThat(said.get(i).replace(names.get(i), "NAME")).doesNotContain("victim");
    }
    assertThat(said.get(4)).endsWith("403").doesNotContain("victim");
    assertThat(said.get(5)).endsWith("403").doesNotContain("victim").doesNotContain(steer);
    for (String own : said.subList(6, 8)) {
      assertThat(own).endsWith("200").contains("\"run_id\":\"looks\"");
    }
  }

  @Test
  void an_agent_may_look_at_its_own_run() throws Exception {
    assertThat(tool("own", curl("/api/v1/runs/own")))
        .endsWith("200")
        .contains("\"run_id\":\"own\"");
  }

  @Test
  void an_agent_stays_what_it_is_when_it_drops_its_environment_or_detaches() throws Exception {
    assertThat(tool("bare", "env -i PATH=\"$PATH\" " + steer("bare"))).endsWith("403");
    String detached = "setsid sh -c \"" + steer("gone").replace("\"", "\\\"") + "\"";
    assertThat(tool("gone", detached)).endsWith("403");
  }

  /**
   * Seen to fail when the walk over the ancestors stops at its depth limit and uses its result so
   * far.
   */
  @Test
  void an_agent_gets_no_further_behind_many_processes_without_an_environment() throws Exception {
    Path deeper = data.resolve("deeper");
    Files.writeString(
        deeper,
        """
        if [ "$1" -gt 0 ]; then /usr/bin/env -i /bin/sh "$0" $(($1 - 1)); exit $?; fi
        %s
        """
            .formatted(steer("deep")));
    assertThat(tool("deep", "sh " + deeper + " 200")).endsWith("401").contains("ancestors");
  }

  /**
   * The parent of the process has ended, and the process has another session and no environment.
   * The wrapper of the run adopts it. Seen to fail when the wrapper is no subreaper.
   */
  @Test
  void an_orphan_of_an_agent_stays_what_it_is() throws Exception {
    Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/perl")), "perl is missing");
    Path orphan = data.resolve("orphan");
    Path said = data.resolve("orphan.said");
    Files.writeString(
        orphan,
        """
        while kill -0 "$1"; do sleep 0.05; done
        %s > %s.part
        mv %s.part %s
        """
            .formatted(steer("orphan"), said, said, said));
    String leave = "/usr/bin/setsid /usr/bin/env -i /bin/sh -c '/bin/sh " + orphan + " $$ & exit'";
    String until = "; until [ -e " + said + " ]; do sleep 0.05; done; cat " + said;
    assertThat(tool("orphan", leave + until)).endsWith("403").contains("a process of run orphan");
  }

  @Test
  void an_agent_stays_what_it_is_when_it_claims_another_run() throws Exception {
    person.post("/api/v1/runs", "{\"run_id\":\"other\",\"prompt\":\"$ sleep 600\"}");
    assertThat(tool("liar", "MIDCOURSE_RUN=other " + curl("/api/v1/runs/other"))).endsWith("403");
    assertThat(tool("liar2", "MIDCOURSE_MARK=none MIDCOURSE_RUN=none " + steer("liar2")))
        .endsWith("403");
  }

  /** HubOperations refuses and logs it; the authenticator alone would not. */
  @Test
  void an_agent_may_not_act_as_a_group_and_the_attempt_is_logged() throws Exception {
    assertThat(tool("voice", curl("/api/v1/runs?as=andy-developer"))).endsWith("403");
    Log.Filter denied = new Log.Filter(Optional.empty(), Set.of("denied"));
    assertThat(hub.engine().ledger().log().after(0, denied, 10).entries())
        .singleElement()
        .satisfies(entry -> assertThat(entry.json()).contains("act as andy-developer"));
  }

  /** Seen to fail when the hub accepts the header in which an agent names itself. */
  @Test
  void t29_an_agent_gets_no_further_by_claiming_the_origin_of_a_person() throws Exception {
    assertThat(tool("named", steer("named") + " -H 'Midcourse-Origin: cli'")).endsWith("403");
  }
}
