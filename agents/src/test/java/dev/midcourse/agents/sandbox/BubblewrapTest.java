package dev.midcourse.agents.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AgentSettings.Home;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Attempts;
import dev.midcourse.agents.Hosting;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.Listening;
import dev.midcourse.agents.command.CommandDefinition;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.rehearsal.RehearsalDriver;
import dev.midcourse.agents.stdio.StdioDriver;
import dev.midcourse.core.agent.AgentEvent.Exited;
import dev.midcourse.core.agent.AgentEvent.Said;
import dev.midcourse.core.agent.AgentEvent.Started;
import dev.midcourse.core.agent.AgentEvent.TurnEnded;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real programs in a real sandbox that try what they may not. */
@Tag("sandbox")
class BubblewrapTest {
  private final Hosting hosting = new Hosting();
  private final Listening listener = new Listening();
  private Path folder = Path.of("");
  private Attempts attempts = new Attempts(folder);

  @BeforeEach
  void prepare(@TempDir Path temporary) throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/bwrap")), "bwrap is missing");
    folder = temporary.toRealPath();
    attempts = new Attempts(folder);
  }

  @AfterEach
  void end() {
    hosting.close();
  }

  @Test
  void the_workspace_and_the_home_can_be_written_and_nothing_else() throws Exception {
    Path elsewhere = Files.createDirectories(Path.of("target/elsewhere").toAbsolutePath());
    Path shared = Files.createDirectories(folder.resolve("shared"));
    String said =
        said(
            new Sandbox.Bubblewrap(true, List.of(shared), List.of()),
            """
            echo a > here && echo b > "$HOME/there" && echo c > '%s/everywhere' && echo written
            (echo d > '%s/outside') 2>/dev/null || echo not outside
            mount -o remount,rw / 2>/dev/null || echo not mounted
            """
                .formatted(shared, elsewhere));
    assertThat(said.lines()).containsExactly("written", "not outside", "not mounted");
    assertThat(attempts.workspace().resolve("here")).hasContent("a");
    assertThat(folder.resolve("home/there")).hasContent("b");
    assertThat(shared.resolve("everywhere")).hasContent("c");
    assertThat(elsewhere.resolve("outside")).doesNotExist();
  }

  @Test
  void what_is_hidden_is_not_there_and_the_folder_for_temporary_files_is_its_own()
      throws Exception {
    Path secrets = Files.createDirectories(Path.of("target/secrets").toAbsolutePath());
    Files.writeString(secrets.resolve("token"), "sesame");
    Path key = Files.writeString(Path.of("target/key").toAbsolutePath(), "sesame");
    Files.writeString(folder.resolve("neighbour"), "sesame");
    String said =
        said(
            new Sandbox.Bubblewrap(true, List.of(), List.of(secrets, key)),
            """
            ls -A '%s'; cat '%s' '%s' 2>/dev/null
            echo x > "$TMPDIR/mine" && echo temporary
            """
                .formatted(secrets, key, folder.resolve("neighbour")));
    assertThat(said).isEqualTo("temporary");
    assertThat(Path.of(System.getProperty("java.io.tmpdir"), "mine")).doesNotExist();
  }

  /** Seen to fail when the folder for temporary files is emptied with the program in it. */
  @Test
  void a_program_that_lies_among_temporary_files_is_started_all_the_same() throws Exception {
    Path program = folder.resolve("program");
    Files.writeString(program, "#!/bin/sh\necho started\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    AttemptSpec spec = order(new SandboxSpec(plain()));
    start(spec, program.toString(), List.of(), listener).prompt(1, "go");
    assertThat(listener.await(TurnEnded.class).text()).isEqualTo("started");
  }

  /**
   * Seen to fail when only the file that is named is there, and when a link to it is not; the rest
   * of the folder stays hidden.
   */
  @Test
  void a_package_that_lies_among_temporary_files_has_what_it_loads() throws Exception {
    Path packages = folder.resolve("installed/node_modules");
    Path program = loading(packages.resolve("agent/cli"), packages.resolve("words/said"));
    Path inside =
        Files.createSymbolicLink(
            Files.createDirectories(packages.resolve(".bin")).resolve("agent"), program);
    Path beside = Files.createSymbolicLink(folder.resolve("agent"), inside);
    assertLoads(inside);
    assertLoads(beside);
  }

  /** Seen to fail when only packages of Node's are known. */
  @Test
  void a_program_that_lies_among_temporary_files_has_what_lies_beside_its_bin() throws Exception {
    Path installed = folder.resolve("installed/here");
    assertLoads(loading(installed.resolve("bin/agent"), installed.resolve("lib/said")));
  }

  /** A program that reads what was installed with it, and tries to read what was not. */
  private Path loading(Path program, Path loaded) throws IOException {
    Files.writeString(Files.createDirectories(loaded.getParent()).resolve("said"), "loaded\n");
    Files.writeString(
        Files.createDirectories(program.getParent()).resolve(program.getFileName()),
        """
        #!/bin/sh
        cat '%s'
        cat '%s' 2>/dev/null || echo hidden
        """
            .formatted(loaded, Files.writeString(folder.resolve("installed/key"), "sesame")));
    return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
  }

  private void assertLoads(Path program) {
    Listening listening = new Listening();
    AttemptSpec spec = order(new SandboxSpec(plain()));
    start(spec, program.toString(), List.of(), listening).prompt(1, "go");
    assertThat(listening.await(TurnEnded.class).text().lines())
        .as(program.toString())
        .containsExactly("loaded", "hidden");
  }

  @Test
  void no_process_outside_is_seen_or_reached() {
    long us = ProcessHandle.current().pid();
    String said =
        said(
            plain(),
            "kill -0 %d 2>/dev/null || echo not reached; cat /proc/%d/status 2>/dev/null"
                .formatted(us, us));
    assertThat(said).isEqualTo("not reached");
  }

  @Test
  void without_a_network_not_even_this_machine_is_reached() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String call =
          "perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(q(127.0.0.1:%d)) ? q(yes) : q(no)'"
              .formatted(server.getLocalPort());
      assertThat(said(plain(), call)).isEqualTo("yes");
      Listening second = new Listening();
      Sandbox alone = new Sandbox.Bubblewrap(false, List.of(), List.of());
      assertThat(said(order(new SandboxSpec(alone)), call, second)).isEqualTo("no");
    }
  }

  /**
   * Seen to fail when the worktrees of others can be written, when a config.worktree that is not
   * there is left to be made, and when the marks of runs are refs like others.
   */
  @Test
  void work_is_committed_and_what_git_trusts_stays_what_it_was() throws Exception {
    Path clone = Files.createDirectories(folder.resolve("clone"));
    shell(
        clone,
        "git init -q -b main && git -c user.name=W -c user.email=w@example.org commit -q"
            + " --allow-empty -m first && git worktree add -q -b work ../workspace && git worktree"
            + " add -q -b others ../others && git update-ref refs/midcourse/r HEAD");
    String said =
        said(
            plain(),
            """
            echo work > file && git add file
            git -c user.name=W -c user.email=w@example.org commit -q -m work && echo committed
            (echo evil > ../clone/.git/hooks/pre-commit) 2>/dev/null || echo no hook
            (git config core.fsmonitor evil) 2>/dev/null || echo no setting
            (rm -f .git || mv .git git) 2>/dev/null || echo not replaced
            (mv ../clone/.git/worktrees/workspace ../clone/.git/x) 2>/dev/null || echo not moved
            (echo x > ../clone/.git/worktrees/workspace/config.worktree) 2>/dev/null || echo none here
            (echo /tmp > ../clone/.git/worktrees/others/commondir) 2>/dev/null || echo not the others
            git update-ref refs/midcourse/r HEAD 2>/dev/null || echo no mark
            (mv ../clone/.git/refs ../clone/.git/x) 2>/dev/null || echo no marks
            """);
    assertThat(said.lines())
        .containsExactly(
            "committed",
            "no hook",
            "no setting",
            "not replaced",
            "not moved",
            "none here",
            "not the others",
            "no mark",
            "no marks");
    assertThat(shell(clone, "git log --format=%s work")).isEqualTo("work\nfirst");
  }

  @Test
  void a_workspace_that_claims_a_repository_of_others_is_not_used() throws Exception {
    Path others = Files.createDirectories(folder.resolve("others/.git/worktrees/x"));
    Files.writeString(others.resolve("gitdir"), folder.resolve("others/tree/.git") + "\n");
    Files.writeString(attempts.workspace().resolve(".git"), "gitdir: " + others + "\n");
    new RehearsalDriver(hosting.host()).start(order(new SandboxSpec(plain())), listener);
    assertThat(listener.await(Exited.class).lastWords()).contains("is not what git made of it");
  }

  @Test
  void a_tree_in_a_sandbox_is_ended_as_a_whole() {
    AttemptSpec spec = order(new SandboxSpec(plain()));
    Agent agent =
        start(spec, "setsid sleep 600 & (env -i sleep 600 &) ; echo here; sleep 600", listener);
    agent.prompt(1, "go");
    listener.await(Said.class);
    await().until(() -> Collections.frequency(hosting.alive(spec), "sleep") == 3);
    agent.end(StopTimeouts.DEFAULT);
    listener.await(Exited.class);
    assertThat(hosting.alive(spec)).isEmpty();
  }

  @Test
  void an_agent_in_a_sandbox_is_found_again_by_the_next_hub_and_takes_a_steer() throws Exception {
    AttemptSpec spec = order(new SandboxSpec(plain()));
    NextHub.findsSteersAndEnds(spec, hosting);
  }

  private static Sandbox.Bubblewrap plain() {
    return new Sandbox.Bubblewrap(true, List.of(), List.of());
  }

  private AttemptSpec order(SandboxSpec confinement) {
    return hosting.keep(attempts.next()).confined(confinement);
  }

  private String said(Sandbox sandbox, String script) {
    return said(order(new SandboxSpec(sandbox)), script, listener);
  }

  private String said(AttemptSpec spec, String script, Listening listening) {
    start(spec, script, listening).prompt(1, "go");
    return listening.await(TurnEnded.class).text();
  }

  private Agent start(AttemptSpec spec, String script, Listening listening) {
    List<String> arguments = List.of("-c", script + "\nexit 0", "program");
    return start(spec, "/bin/sh", arguments, listening);
  }

  private Agent start(
      AttemptSpec spec, String program, List<String> arguments, Listening listening) {
    AgentSettings settings =
        AgentSettings.usual().withCommand(program).withArguments(arguments).withHome(Home.OWN);
    HubEnvironment hub = new HubEnvironment(Map.of("PATH", System.getenv("PATH")));
    Agent agent =
        new StdioDriver(hosting.host(), new CommandDefinition(settings, hub))
            .start(spec, listening);
    listening.await(Started.class);
    return agent;
  }

  private static String shell(Path folder, String command) throws Exception {
    Process process =
        new ProcessBuilder("sh", "-c", command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
