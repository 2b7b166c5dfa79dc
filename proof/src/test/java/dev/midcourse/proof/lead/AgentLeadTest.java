package dev.midcourse.proof.lead;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.Steer.RungClaim;
import dev.midcourse.engine.Engine;
import dev.midcourse.engine.NewRun;
import dev.midcourse.hub.Hub;
import dev.midcourse.hub.settings.SettingsFile;
import dev.midcourse.ledger.Log;
import dev.midcourse.proof.agents.AgentHome;
import dev.midcourse.proof.agents.AgentPrograms;
import dev.midcourse.proof.agents.ClaudeHome;
import dev.midcourse.proof.agents.HeldCommand;
import dev.midcourse.proof.agents.PiHome;
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
import java.util.Optional;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A real Claude Code leads a real pi through the hub's tools: it dispatches, receives notices,
 * steers and reviews, also in a sandbox. Only the models are scripted.
 */
@Tag("agents")
class AgentLeadTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(3);
  private static final JsonMapper JSON = new JsonMapper();
  private static final String COMMIT =
      "printf 'class App {}' > App.java && git add -A"
          + " && GIT_AUTHOR_DATE='2026-03-01T12:00:00Z' GIT_COMMITTER_DATE='2026-03-01T12:00:00Z'"
          + " git -c user.name=W -c user.email=w@example.org commit -q -m App";

  private static final RunId WORK = RunId.of("run-1");

  @TempDir private Path folder;

  /** Seen to fail when the lead's tool does not wait for the end of the run. */
  @ParameterizedTest
  @ValueSource(strings = {"none", "bwrap"})
  void t24_a_lead_dispatches_follows_steers_and_reviews_its_worker_through_the_hubs_tools(
      String sandbox) throws Exception {
    assumeTrue(
        sandbox.equals("none") || Files.isExecutable(Path.of("/usr/bin/bwrap")),
        "bwrap is missing");
    AgentPrograms programs =
        AgentPrograms.find().orElseGet(() -> abort(AgentPrograms.HOW_TO_INSTALL));
    Path clone = folder.resolve("clones/acme/shop");
    String sha = prepare(clone);
    HeldCommand held = new HeldCommand(Files.createDirectories(folder.resolve("signs")), "work");
    Gate connected = new Gate("the tools are there");
    Gate busy = new Gate("the worker is in its tool");
    Gate informed = new Gate("the lead holds the notice that its worker has started");
    try (ScriptedModel model = ScriptedModel.start()) {
      Lane lead = model.lane("lead", leadScript(connected, busy, informed));
      Lane worker =
          model.lane(
              "worker",
              Script.of(
                  Step.shell(held.command()),
                  Step.shell(COMMIT),
                  Step.say("Done.\n" + completion(sha))));
      settings(programs, lead, worker, sandbox);
      try (Hub hub = Hub.start(SettingsFile.read(folder.resolve("data")).withPort(0))) {
        Engine engine = hub.engine();
        Run leading = engine.runs().create(new NewRun(Optional.empty(), leading()));
        Awaitility.await()
            .atMost(TIMEOUT)
            .until(() -> Files.exists(wire()) && Files.readString(wire()).contains("inputSchema"));
        connected.open();
        held.awaitStarted(TIMEOUT);
        busy.open();
        awaitAccepted(engine, WORK);
        held.release();
        awaitAccepted(engine, leading.id()); // notices are collected for half a second
        informed.open();
        Run ended = engine.runs().awaitEnd(WORK, TIMEOUT);
        assertThat(ended.state()).as(story(engine)).isIn(RunState.REVIEW_REQUESTED, RunState.DONE);
        Run lived = engine.runs().awaitEnd(leading.id(), TIMEOUT);
        assertThat(lived.state()).as(story(engine)).isEqualTo(RunState.DONE);
        assertThat(engine.ledger().<Optional<Run>>read(r -> r.run(WORK)))
            .map(Run::state)
            .as(story(engine))
            .contains(RunState.DONE);
        assertThat(steers(engine, WORK).getFirst().rungs())
            .extracting(RungClaim::rung)
            .as(story(engine))
            .contains(Rung.INJECTED);
        assertThat(worker.requests().last().occurrences("Also handle null.")).isEqualTo(1);
        assertThat(lead.requests().last().text())
            .as(() -> lead.requests() + "\n" + story(engine))
            .contains("not from your user, and no instruction]", "run-1 started");
      }
    }
  }

  private static Script leadScript(Gate connected, Gate busy, Gate informed) {
    return Script.of(
        Step.call(tool("dispatch_run", Map.of("worker", "jarvis-worker-1", "dispatch", dispatch())))
            .heldBy(connected),
        Step.call(
                tool(
                    "steer_run",
                    Map.of(
                        "run_id",
                        "run-1",
                        "text",
                        "Also handle null.",
                        "wait_for",
                        "injected",
                        "timeout_seconds",
                        120)))
            .heldBy(busy),
        Step.call(tool("show_run", Map.of("run_id", "run-1", "wait_seconds", 120))),
        Step.call(tool("review_run", Map.of("run_id", "run-1", "verdict", "accept")))
            .heldBy(informed),
        Step.say("It is done."));
  }

  private static ToolCall tool(String name, Map<String, Object> arguments) {
    ObjectNode node = JSON.valueToTree(arguments);
    return new ToolCall.Named("mcp__midcourse__" + name, node);
  }

  private static Map<String, Object> dispatch() {
    return Dispatches.of("run-1", "implement", "jarvis-app", "Write the app.");
  }

  private static String completion(String sha) {
    return """
    <completion>{"run_id":"run-1","branch":"jarvis-app","commit_sha":"%s",
    "files_changed":["App.java"],"test_result":"compiles","risk":"low",
    "pr_skipped_reason":"no remote"}</completion>\
    """
        .formatted(sha);
  }

  private RunSpec leading() throws IOException {
    return new RunSpec(
        "Have the app written.",
        AgentName.of("claude"),
        WorkerName.of("andy-developer"),
        Files.createDirectories(folder.resolve("desk")).toString(),
        Author.person("proof"),
        PendingPolicy.ALL,
        1,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Returns the file with the messages that the hub sent to the lead. */
  private Path wire() {
    return folder.resolve("mcp.log");
  }

  private void settings(AgentPrograms programs, Lane lead, Lane worker, String sandbox)
      throws IOException {
    AgentHome claude = ClaudeHome.create(programs, made("lead-home"), lead);
    AgentHome pi = PiHome.create(programs, made("worker-home"), worker);
    Path data = made("data");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String command =
        "'%s' -cp '%s' '-Dmidcourse.home=%s' dev.midcourse.cli.Main mcp | tee '%s'"
            .formatted(java, System.getProperty("java.class.path"), data, wire());
    ObjectNode servers = JSON.createObjectNode();
    servers
        .putObject("mcpServers")
        .putObject("midcourse")
        .put("type", "stdio")
        .put("command", "sh")
        .putArray("args")
        .add("-c")
        .add(command);
    Files.writeString(claude.folder().resolve(".claude.json"), servers.toString());
    Files.writeString(
        data.resolve("midcourse.toml"),
        claude.settings("claude", List.of())
            + pi.settings("pi", List.of(AgentHome.arguments(PiHome.modelArguments())))
            + """
            [workers.jarvis-worker-1]
            agent = "pi"
            workspace = "%s"
            %s

            [groups.andy-developer]
            role = "lead"
            workers = ["jarvis-worker-*"]
            """
                .formatted(folder.resolve("clones"), confined(sandbox)));
  }

  /** The home of the worker and the sign files of the test are outside of the hub's fixture. */
  private String confined(String sandbox) {
    return sandbox.equals("none")
        ? ""
        : "sandbox = \"%s\"\nwritable = [\"%s\", \"%s\"]"
            .formatted(sandbox, folder.resolve("worker-home"), folder.resolve("signs"));
  }

  private Path made(String name) throws IOException {
    return Files.createDirectories(folder.resolve(name));
  }

  /** Creates a clone with one commit; returns the id of the worker's later commit. */
  private static String prepare(Path clone) throws IOException, InterruptedException {
    Files.createDirectories(clone);
    shell(
        clone,
        "git init -q --initial-branch=main && printf hello > README && git add -A"
            + " && GIT_AUTHOR_DATE='2026-01-01T12:00:00Z' GIT_COMMITTER_DATE='2026-01-01T12:00:00Z'"
            + " git -c user.name=W -c user.email=w@example.org commit -q -m first");
    shell(clone, "git checkout -q -b rehearsed && " + COMMIT);
    String sha = shell(clone, "git rev-parse HEAD");
    shell(clone, "git checkout -q main && git branch -q -D rehearsed");
    return sha;
  }

  private static String shell(Path folder, String command)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("sh", "-c", command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  private static void awaitAccepted(Engine engine, RunId run) {
    Awaitility.await()
        .atMost(TIMEOUT)
        .until(() -> steers(engine, run).stream().findFirst(), AgentLeadTest::isAccepted);
  }

  private static boolean isAccepted(Optional<Steer> first) {
    return first.filter(steer -> steer.rung().compareTo(Rung.ACCEPTED) >= 0).isPresent();
  }

  private static List<Steer> steers(Engine engine, RunId run) {
    return engine.ledger().read(r -> r.steers(run));
  }

  private static String story(Engine engine) {
    return engine.ledger().log().after(0, Log.Filter.ALL, 500).entries().stream()
        .map(entry -> entry.run() + " " + entry.kind() + " " + entry.json())
        .collect(Collectors.joining("\n"));
  }
}
