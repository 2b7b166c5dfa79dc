package dev.midcourse.agents.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AgentSettings.Home;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Attempts;
import dev.midcourse.agents.Hosting;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.RecordingListener;
import dev.midcourse.agents.command.CommandDefinition;
import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.sandbox.SandboxSpec.Enforcement;
import dev.midcourse.agents.sandbox.cgroup.Cgroup;
import dev.midcourse.agents.sandbox.cgroup.Cgroups;
import dev.midcourse.agents.sandbox.cgroup.TreeLimiter;
import dev.midcourse.agents.stdio.StdioDriver;
import dev.midcourse.core.agent.AgentEvent.Exited;
import dev.midcourse.core.agent.AgentEvent.Started;
import dev.midcourse.core.agent.AgentEvent.TurnEnded;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits of all processes of a program together, set by the kernel of this machine. */
@Tag("sandbox")
class TreeLimitsTest {
  private final Hosting hosting = new Hosting();
  private final RecordingListener listener = new RecordingListener();
  private Path folder = Path.of("");
  private Attempts attempts = new Attempts(folder);

  @BeforeEach
  void prepare(@TempDir Path temporary) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/bwrap")), "bwrap is missing");
    folder = temporary.toRealPath();
    attempts = new Attempts(folder);
    Optional<String> obstacle = SandboxLauncher.ofThisSystem().limitsObstacle(limited());
    assumeTrue(obstacle.isEmpty(), obstacle.orElse(""));
  }

  @AfterEach
  void end() {
    hosting.close();
  }

  private static SandboxSpec limited() {
    return new SandboxSpec(
        new Sandbox.Bubblewrap(true, List.of(), List.of()),
        Optional.of(96L << 20),
        Optional.empty(),
        Optional.of(60),
        Enforcement.REQUIRED);
  }

  /**
   * Each process stays below the limit and all together do not. Seen to fail with limits of single
   * processes only: all four got their memory, and all processes were started.
   */
  @Test
  void the_processes_of_a_sandbox_share_its_memory_and_its_number_of_processes() {
    AttemptSpec spec = hosting.keep(attempts.next()).confined(limited());
    String said =
        said(
            spec,
            """
            exec 2>/dev/null
            for i in 1 2 3 4; do
              perl -e 'my $x = q(x) x (30 << 20); open my $f, q(>), qq(got-$ARGV[0]); sleep 600' $i &
              while [ ! -e got-$i ] && kill -0 $!; do sleep 0.02; done
            done
            alive=$(jobs -r | wc -l)
            [ "$alive" -lt 4 ] && echo not all four || echo all four
            kill $(jobs -p); wait
            perl -e 'for (1 .. 200) { my $p = fork; if (!defined $p) { print qq(refused\\n); last } if (!$p) { sleep 600; exit } push @p, $p } kill 9, @p'
            """);
    assertThat(said.lines()).containsExactly("not all four", "refused");
  }

  @Test
  void a_cgroup_is_removed_with_the_program_also_by_the_next_hub() throws Exception {
    AttemptSpec spec = hosting.keep(attempts.next()).confined(limited());
    NextHub.findsSteersAndEnds(spec, hosting);
    Cgroup cgroup = Cgroup.recordedIn(spec.folder()).orElseThrow();
    assertThat(cgroup.folders()).isNotEmpty().allSatisfy(path -> assertThat(path).doesNotExist());
  }

  @Test
  void required_limits_that_cannot_be_set_are_refused_and_others_hold_per_process()
      throws Exception {
    SandboxLauncher bare =
        new SandboxLauncher(
            SystemPrograms.ofThisSystem(),
            new TreeLimiter(
                new Cgroups(folder.resolve("mountinfo"), folder.resolve("cgroup"), 1),
                Optional.empty()));
    assertThatIOException()
        .isThrownBy(() -> words(bare, Enforcement.REQUIRED))
        .isInstanceOf(MissingDependencyException.class)
        .withMessageContaining("required")
        .withMessageContaining("no cgroup with the controller memory");
    assertThat(words(bare, Enforcement.BEST_EFFORT)).contains("midcourse-limits");
  }

  private List<String> words(SandboxLauncher launcher, Enforcement enforcement) throws Exception {
    SandboxSpec spec =
        new SandboxSpec(
            new Sandbox.None(),
            Optional.of(1L << 30),
            Optional.empty(),
            Optional.empty(),
            enforcement);
    return launcher.confined(
        spec,
        new SandboxedProgram(
            new AttemptFolder(folder),
            ProcessMarker.fresh(),
            folder,
            folder,
            Map.of(),
            List.of("true")));
  }

  private String said(AttemptSpec spec, String script) {
    AgentSettings settings =
        AgentSettings.defaults()
            .withCommand("/bin/bash")
            .withArguments(List.of("-c", script + "\nexit 0", "program"))
            .withHome(Home.OWN);
    HubEnvironment hub = new HubEnvironment(Map.of("PATH", System.getenv("PATH")));
    var agent =
        new StdioDriver(hosting.host(), new CommandDefinition(settings, hub)).start(spec, listener);
    listener.await(Started.class);
    agent.prompt(1, "go");
    String said = listener.await(TurnEnded.class).text();
    agent.end(StopTimeouts.DEFAULT);
    listener.await(Exited.class);
    return said;
  }
}
