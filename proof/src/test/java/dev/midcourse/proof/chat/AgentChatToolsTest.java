package dev.midcourse.proof.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.midcourse.core.chat.outbound.OutboundContent;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Author;
import dev.midcourse.hub.Hub;
import dev.midcourse.hub.settings.SettingsFile;
import dev.midcourse.ledger.Log;
import dev.midcourse.proof.agents.AgentHome;
import dev.midcourse.proof.agents.AgentPrograms;
import dev.midcourse.proof.agents.ClaudeHome;
import dev.midcourse.proof.model.Gate;
import dev.midcourse.proof.model.Lane;
import dev.midcourse.proof.model.Script;
import dev.midcourse.proof.model.ScriptedModel;
import dev.midcourse.proof.model.Step;
import dev.midcourse.proof.model.ToolCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The tools that the agent of a conversation has: called by the npm client from a process of the
 * run, and by a real Claude Code with a scripted model.
 */
@Tag("agents")
class AgentChatToolsTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final JsonMapper JSON = new JsonMapper();

  /** What Claude Code posts before its tools can be called: initialize, initialized, tools/list. */
  private static final int MESSAGES_OF_START = 3;

  @TempDir private Path folder;
  private AgentPrograms programs;
  private Path data;

  @BeforeEach
  void prepare() throws IOException {
    programs = AgentPrograms.find().orElseGet(() -> abort(AgentPrograms.HOW_TO_INSTALL));
    data = Files.createDirectories(folder.resolve("data"));
  }

  @Test
  void a_process_of_the_run_sends_reacts_and_asks_in_its_chat() throws Exception {
    Files.writeString(data.resolve("midcourse.toml"), "[hub]\ndefault_agent = \"rehearsal\"\n");
    Path answers = folder.resolve("answers");
    Path wishes = wishes();
    Path script =
        Files.writeString(
            folder.resolve("script.sh"),
            "echo report > report.txt\n'%s' stdio %s <'%s' >'%s' 2>'%s'\n"
                .formatted(
                    programs.program("mcp-client"),
                    server(),
                    wishes,
                    answers,
                    folder.resolve("errors")));
    try (Hub hub = Hub.start(SettingsFile.read(data).withPort(0))) {
      TerminalChat chat = new TerminalChat(hub, data);
      chat.write("Report.\n$ [timeout=120] sh " + script + "\n");
      await()
          .atMost(TIMEOUT)
          .untilAsserted(
              () -> assertThat(chat.newestCard()).as(() -> story(hub, answers)).isPresent());
      assertThat(chat.click("Yes")).isEqualTo("Yes");
      await().atMost(TIMEOUT).until(() -> Files.readAllLines(answers).size() == 8);

      List<JsonNode> said = Files.readAllLines(answers).stream().map(JSON::readTree).toList();
      assertThat(said.get(0).path("tools").valueStream().map(JsonNode::asString))
          .contains(
              "send_message",
              "send_file",
              "edit_message",
              "add_reaction",
              "ask_user_question",
              "schedule_task")
          .doesNotContain("dispatch_run", "steer_run");
      assertThat(said.get(1).path("refused").asBoolean()).as("%s", said.get(1)).isFalse();
      assertThat(said.get(2).path("refused").asBoolean()).as("%s", said.get(2)).isFalse();
      assertThat(said.get(3).path("text").asString()).contains("a chat of this worker");
      assertThat(said.get(4).path("refused").asBoolean()).as("%s", said.get(4)).isFalse();
      assertThat(said.get(5).path("text").asString()).contains("cannot be sent");
      assertThat(said.get(6).path("text").asString()).contains("may not");
      assertThat(said.get(7).path("text").asString()).contains("\"answer\":\"Yes\"");
      assertThat(chat.texts()).contains("I begin.");
      OutboundMessage file =
          chat.outbox().stream()
              .filter(it -> it.content() instanceof OutboundContent.File)
              .findFirst()
              .orElseThrow();
      assertThat(data.resolve(((OutboundContent.File) file.content()).path())).hasContent("report");
      stopAll(hub);
    }
  }

  /** One call in each line, as the client reads them. */
  private Path wishes() throws IOException {
    return Files.write(
        folder.resolve("wishes"),
        List.of(
            "{}",
            wish("send_message", Map.of("text", "I begin.")),
            wish("add_reaction", Map.of("message_id", 1, "status", "running")),
            wish("send_message", Map.of("text", "x", "to", "nowhere")),
            wish("send_file", Map.of("path", "report.txt")),
            wish("send_file", Map.of("path", "../../token")),
            wish("stop_run", Map.of("run_id", "other")),
            wish(
                "ask_user_question",
                Map.of(
                    "title",
                    "Deploy",
                    "question",
                    "Deploy now?",
                    "options",
                    List.of("Yes", "No"),
                    "timeout_seconds",
                    100))));
  }

  private static String wish(String tool, Map<String, Object> arguments) {
    return JSON.writeValueAsString(Map.of("call", tool, "arguments", arguments));
  }

  private String server() {
    return "'%s' -XX:TieredStopAtLevel=1 -cp '%s' '-Dmidcourse.home=%s' dev.midcourse.cli.Main mcp"
        .formatted(
            Path.of(System.getProperty("java.home"), "bin", "java"),
            System.getProperty("java.class.path"),
            data);
  }

  @Test
  void claude_code_sends_a_message_with_the_tool_and_its_equal_answer_is_not_sent_again()
      throws Exception {
    Gate connected = new Gate("the tools are there");
    try (ScriptedModel model = ScriptedModel.start()) {
      Lane lane =
          model.lane(
              "chat",
              Script.of(
                  Step.call(
                          new ToolCall.Named(
                              "mcp__midcourse__send_message",
                              JSON.valueToTree(Map.of("text", "It is done."))))
                      .heldBy(connected),
                  Step.say("It is done.")));
      AgentHome home =
          ClaudeHome.create(programs, Files.createDirectories(folder.resolve("home")), lane);
      Files.writeString(
          data.resolve("midcourse.toml"),
          "[hub]\ndefault_agent = \"claude\"\n\n"
              + home.settings("claude", List.of())
                  .replace("permissions = \"bypass\"", "permissions = \"ask\""));
      try (Hub hub = Hub.start(SettingsFile.read(data).withPort(0))) {
        TerminalChat chat = new TerminalChat(hub, data);
        chat.write("Do it.");
        long before = hub.connectionsSinceStart();
        await()
            .atMost(TIMEOUT)
            .untilAsserted(() ->
                assertThat(hub.connectionsSinceStart() - before)
                    .as(() -> story(hub, data.resolve("hub.log")))
                    .isGreaterThanOrEqualTo(MESSAGES_OF_START));
        connected.open();
        await()
            .atMost(TIMEOUT)
            .untilAsserted(() ->
                assertThat(kinds(hub))
                    .as(() -> lane.requests() + "\n" + story(hub, data.resolve("hub.log")))
                    .contains("turn_ended"));
        awaitReported(hub, chat);
        assertThat(chat.texts())
            .as(() -> lane.requests() + "\n" + story(hub, data.resolve("hub.log")))
            .containsExactly("It is done.");
        assertThat(kinds(hub)).doesNotContain("asked");
        stopAll(hub);
      }
    }
  }

  /** The reaction on the message is set to done with the report of the answer. */
  private static void awaitReported(Hub hub, TerminalChat chat) {
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() ->
            assertThat(chat.outbox())
                .as(() -> story(hub, Path.of("none")))
                .anyMatch(it ->
                    it.content() instanceof OutboundContent.Reaction reaction
                        && reaction.status() == OutboundContent.MessageStatus.DONE));
  }

  private static void stopAll(Hub hub) throws InterruptedException {
    for (Run run : hub.engine().ledger().read(r -> r.liveRuns())) {
      hub.engine().runs().stop(run.id(), Author.person("proof"));
      hub.engine().runs().awaitEnd(run.id(), TIMEOUT);
    }
  }

  private static List<String> kinds(Hub hub) {
    return hub.engine().ledger().log().after(0, Log.Filter.ALL, 500).entries().stream()
        .map(Log.LogEntry::kind)
        .toList();
  }

  private static String story(Hub hub, Path file) {
    String log =
        hub.engine().ledger().log().after(0, Log.Filter.ALL, 500).entries().stream()
            .map(entry -> entry.run() + " " + entry.kind() + " " + entry.json())
            .collect(Collectors.joining("\n"));
    try {
      return log + "\n" + (Files.exists(file) ? Files.readString(file) : "");
    } catch (IOException e) {
      return log;
    }
  }
}
