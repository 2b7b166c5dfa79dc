package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.engine.NewRun;
import dev.midcourse.hub.settings.SettingsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker with a sandbox in its settings, and a program that inspects the sandbox from inside. */
@Tag("sandbox")
class SandboxTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  @TempDir private Path folder;
  private Path data;
  private Path workspace;

  @BeforeEach
  void prepare() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/bwrap")), "bwrap is missing");
    data = Files.createDirectories(folder.resolve("data"));
    workspace = Files.createDirectories(folder.resolve("workspace"));
  }

  @Test
  void an_agent_in_a_sandbox_finds_neither_the_token_nor_the_ledger_nor_the_hub() throws Exception {
    settings("sandbox = \"bwrap\"");
    try (Hub hub = Hub.start(SettingsFile.read(data).withPort(0))) {
      assertThat(data.resolve("token")).exists();
      Run run = run(hub, "ls '%s'; cat '%s/token' || echo no token".formatted(data, data));
      assertThat(run.state()).isEqualTo(RunState.DONE);
      assertThat(run.result().orElseThrow()).startsWith("workers").endsWith("no token");
      assertThat(run.result().orElseThrow()).doesNotContain("hub.sock", "midcourse.db");
    }
  }

  @Test
  void a_worker_is_held_to_the_memory_and_processors_that_its_settings_give_it() throws Exception {
    settings("limits = { memory = \"64M\", processors = 1 }");
    try (Hub hub = Hub.start(SettingsFile.read(data).withPort(0))) {
      Run run = run(hub, "nproc; perl -e 'my $x = q(x) x (1 << 28)' || echo too much");
      assertThat(run.result().orElseThrow()).startsWith("1").endsWith("too much");
    }
  }

  @Test
  void a_sandbox_that_cannot_be_made_fails_the_run_with_the_reason() throws Exception {
    settings("sandbox = \"bwrap\"");
    Files.writeString(workspace.resolve(".git"), "gitdir: /nowhere/worktrees/x\n");
    try (Hub hub = Hub.start(SettingsFile.read(data).withPort(0))) {
      Run run = run(hub, "echo never");
      assertThat(run.state()).isEqualTo(RunState.FAILED);
      assertThat(run.result().orElseThrow()).contains("was tampered with");
    }
  }

  private void settings(String worker) throws IOException {
    Files.writeString(
        data.resolve("midcourse.toml"),
        """
        [agents.looker]
        driver = "command"
        command = "/bin/sh"
        arguments = ["-c", "eval \\"$1\\" 2>/dev/null", "looker"]
        home = "own"

        [workers.jarvis-worker-1]
        %s
        """
            .formatted(worker));
  }

  private Run run(Hub hub, String script) throws InterruptedException {
    RunSpec spec =
        new RunSpec(
            script,
            AgentName.of("looker"),
            WorkerName.of("jarvis-worker-1"),
            workspace.toString(),
            Author.person("test"),
            PendingPolicy.ALL,
            1,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    Run run = hub.engine().runs().create(new NewRun(Optional.empty(), spec));
    return hub.engine().runs().awaitEnd(run.id(), TIMEOUT);
  }
}
