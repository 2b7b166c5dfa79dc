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
import dev.midcourse.agents.RecordingListener;
import dev.midcourse.agents.command.CommandDefinition;
import dev.midcourse.agents.git.Checkout;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.rehearsal.RehearsalDriver;
import dev.midcourse.agents.stdio.StdioDriver;
import dev.midcourse.core.agent.AgentEvent.Exited;
import dev.midcourse.core.agent.AgentEvent.Said;
import dev.midcourse.core.agent.AgentEvent.Started;
import dev.midcourse.core.agent.AgentEvent.TurnEnded;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.id.RunId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Real programs in a real sandbox that try what they may not. */
@Tag("sandbox")
class BubblewrapTest {
  private final Hosting hosting = new Hosting();
  private final RecordingListener listener = new RecordingListener();
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
  void hidden_paths_are_absent_and_the_temporary_folder_is_private() throws Exception {
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

  /** Seen to fail when the workspace is mounted over the paths that are hidden in it. */
  @Test
  void a_hidden_path_in_the_workspace_stays_hidden() throws Exception {
    Path secrets = Files.createDirectories(attempts.workspace().resolve("data"));
    Files.writeString(secrets.resolve("token"), "sesame");
    assertThat(
            said(
                new Sandbox.Bubblewrap(true, List.of(), List.of(secrets)),
                "cat data/token 2>/dev/null || echo hidden; echo x > file && echo written"))
        .isEqualTo("hidden\nwritten");
  }

  /**
   * The next start looks for the hidden path where the settings say it is. Seen to fail when only
   * the hidden path itself is a mount, so that a folder around it can be renamed.
   */
  @Test
  void a_hidden_path_in_the_workspace_cannot_be_moved_with_a_folder_around_it() throws Exception {
    Path secrets = Files.createDirectories(attempts.workspace().resolve("config/app/data"));
    Files.writeString(secrets.resolve("token"), "sesame");
    Sandbox hiding = new Sandbox.Bubblewrap(true, List.of(), List.of(secrets));
    assertThat(
            said(
                hiding,
                "mv config moved 2>/dev/null; mv config/app moved 2>/dev/null; echo x > config/app/file"
                    + " && echo written"))
        .isEqualTo("written");
    assertThat(secrets.resolve("token")).exists();
    assertThat(attempts.workspace().resolve("config/app/file")).exists();
    RecordingListener second = new RecordingListener();
    assertThat(said(order(new SandboxSpec(hiding)), "grep -rl sesame . || echo hidden", second))
        .isEqualTo("hidden");
  }

  @Test
  void a_workspace_that_is_hidden_is_refused() throws Exception {
    Sandbox sandbox =
        new Sandbox.Bubblewrap(true, List.of(), List.of(attempts.workspace().toRealPath()));
    new RehearsalDriver(hosting.host()).start(order(new SandboxSpec(sandbox)), listener);
    assertThat(listener.await(Exited.class).lastOutput())
        .contains("the sandbox hides the workspace", "--dir");
  }

  /** Seen to fail when the folder for temporary files is emptied with the program in it. */
  @Test
  void a_program_among_temporary_files_is_started() throws Exception {
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
    RecordingListener listening = new RecordingListener();
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
      RecordingListener second = new RecordingListener();
      Sandbox alone = new Sandbox.Bubblewrap(false, List.of(), List.of());
      assertThat(said(order(new SandboxSpec(alone)), call, second)).isEqualTo("no");
    }
  }

  /** Seen to fail when the sandbox gets the git folder of the clone and read-only mounts in it. */
  @Test
  void work_is_committed_and_what_git_trusts_stays_what_it_was() throws Exception {
    HostileRepository repository = HostileRepository.in(folder, attempts.workspace());
    Agent agent =
        start(
            order(new SandboxSpec(plain())),
            HostileRepository.work() + repository.attacks(),
            listener);
    agent.prompt(1, "go");
    assertThat(listener.await(TurnEnded.class).text()).isEqualTo(HostileRepository.WORKED);
    agent.end(StopTimeouts.IMMEDIATE);
    assertThat(shell(repository.cloned(), "git log --format=%s work"))
        .isEqualTo("side\nwork\nfirst");
    repository.assertUnharmed(attempts.workspace());
  }

  /**
   * Before private git folders an agent had the git folder of the clone itself. Its worktree, with
   * commits, staged files, a stash and a start reference, is what the first sandboxed attempt
   * finds.
   *
   * <p>Seen to fail when the private git folder does not get the log of the stash.
   */
  @Test
  void a_worktree_that_an_agent_has_used_without_a_private_git_folder_continues() throws Exception {
    Path workspace = attempts.workspace();
    Path clone = Files.createDirectories(folder.resolve("clone"));
    String who = "git -c user.name=W -c user.email=w@example.org";
    shell(
        clone,
        """
        git init -q -b main && echo one > file && git add file && %1$s commit -q -m first
        git worktree add -q -b jarvis-a %2$s && git update-ref refs/midcourse/run-1 HEAD
        cd %2$s && echo old > old && git add old && %1$s commit -q -m old
        echo stashed > file && %1$s stash -q && echo staged > staged && git add staged
        """
            .formatted(who, workspace));
    Agent agent =
        start(
            order(new SandboxSpec(plain())),
            """
            git log --format=%%s; git status --short; git stash list | wc -l; git stash pop -q && cat file
            %1$s commit -q -m new staged file
            git status --short; git log -1 --format=%%s main
            """
                .formatted(who),
            listener);
    agent.prompt(1, "go");
    assertThat(listener.await(TurnEnded.class).text().lines())
        .containsExactly("old", "first", "A  staged", "1", "stashed", "first");
    agent.end(StopTimeouts.IMMEDIATE);
    assertThat(shell(clone, "git log --format=%s jarvis-a")).isEqualTo("new\nold\nfirst");
    assertThat(shell(workspace, "git status --short")).isEmpty();
    Checkout checkout = new Checkout(workspace);
    RunId run = RunId.of("run-1");
    BranchName branch = BranchName.of("jarvis-a");
    assertThat(checkout.diff(run, Optional.of(branch)).text())
        .contains("+old", "+staged", "+stashed");
    assertThat(checkout.inspect(run, branch, Optional.empty()).clean()).isTrue();
    checkout.remove(run::equals);
    assertThat(workspace).doesNotExist();
    assertThat(shell(clone, "git log --format=%s jarvis-a")).isEqualTo("new\nold\nfirst");
  }

  /** Seen to fail when only worktrees get a git folder of their own. */
  @Test
  void a_clone_as_workspace_gets_the_commits_and_keeps_its_settings() throws Exception {
    Path clone = attempts.workspace();
    Path escaped = folder.resolve("escaped");
    shell(
        clone,
        "git init -q -b main && echo one > file && git add file && git -c user.name=W -c"
            + " user.email=w@example.org commit -q -m first && echo staged > staged && git add staged");
    Agent agent =
        start(
            order(new SandboxSpec(plain())),
            """
            echo two > file && git -c user.name=W -c user.email=w@example.org commit -q -m second file
            git checkout -q -b feature && echo three > file
            git -c user.name=W -c user.email=w@example.org commit -q -m third file && echo committed
            git config core.fsmonitor 'touch %s'; echo /tmp > .git/commondir
            """
                .formatted(escaped),
            listener);
    agent.prompt(1, "go");
    assertThat(listener.await(TurnEnded.class).text()).isEqualTo("committed");
    agent.end(StopTimeouts.IMMEDIATE);
    assertThat(shell(clone, "git log --format=%s feature && git status --porcelain && git branch"))
        .isEqualTo("third\nsecond\nfirst\nA  staged\n* feature\n  main");
    assertThat(shell(clone, "git log --format=%s main")).isEqualTo("second\nfirst");
    assertThat(escaped).doesNotExist();
    assertThat(clone.resolve(".git/commondir")).doesNotExist();
  }

  /** Seen to fail when only commits of a branch are taken over. */
  @Test
  void a_clone_without_a_branch_gets_the_commits_and_its_branches_stay() throws Exception {
    Path clone = attempts.workspace();
    String who = "git -c user.name=W -c user.email=w@example.org";
    shell(
        clone,
        "git init -q -b main && echo one > file && git add file && %s commit -q -m first && git"
                .formatted(who)
            + " checkout -q --detach");
    Agent agent =
        start(
            order(new SandboxSpec(plain())),
            "echo two > file && %1$s commit -q -m second file && git branch -f main && echo committed"
                .formatted(who),
            listener);
    agent.prompt(1, "go");
    assertThat(listener.await(TurnEnded.class).text()).isEqualTo("committed");
    agent.end(StopTimeouts.IMMEDIATE);
    assertThat(shell(clone, "git log --format=%s HEAD && git status --short"))
        .isEqualTo("second\nfirst");
    assertThat(shell(clone, "git log --format=%s main; git symbolic-ref -q HEAD || echo none"))
        .isEqualTo("first\nnone");
  }

  /**
   * The first agent finds a workspace without a repository and makes one. What it writes there must
   * not be a list of mounts for the next agent. Seen to fail when the sandbox mounts all folders
   * that the repository names, and follows the links in it.
   */
  @ParameterizedTest
  @MethodSource("dev.midcourse.agents.sandbox.AgentMadeRepository#attacks")
  void a_repository_that_an_agent_has_made_uncovers_nothing(AgentMadeRepository attack)
      throws Exception {
    Path secrets = AgentMadeRepository.secrets("bubblewrap");
    Path other = AgentMadeRepository.other("bubblewrap");
    Sandbox hiding = new Sandbox.Bubblewrap(true, List.of(), List.of(secrets));
    Agent first = start(order(new SandboxSpec(hiding)), attack.script(secrets, other), listener);
    first.prompt(1, "go");
    assertThat(listener.await(TurnEnded.class).text()).endsWith("made");
    first.end(StopTimeouts.IMMEDIATE);
    RecordingListener second = new RecordingListener();
    AttemptSpec spec = order(new SandboxSpec(hiding));
    new StdioDriver(hosting.host(), script(AgentMadeRepository.look(secrets, other)))
        .start(spec, second)
        .prompt(1, "go");
    assertThat(AgentMadeRepository.outcome(second)).doesNotContain("sesame", "changed");
    assertThat(other.resolve("git/objects/new")).doesNotExist();
    assertThat(other).isDirectoryNotContaining("glob:**/{main,imported,new*,aside*}");
  }

  @Test
  void a_workspace_that_claims_a_repository_of_others_is_not_used() throws Exception {
    Path others = Files.createDirectories(folder.resolve("others/.git/worktrees/x"));
    Files.writeString(others.resolve("gitdir"), folder.resolve("others/tree/.git") + "\n");
    Files.writeString(attempts.workspace().resolve(".git"), "gitdir: " + others + "\n");
    new RehearsalDriver(hosting.host()).start(order(new SandboxSpec(plain())), listener);
    assertThat(listener.await(Exited.class).lastOutput())
        .contains(".git/worktrees/x/commondir was tampered with", "midcourse repair");
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

  private String said(AttemptSpec spec, String script, RecordingListener listening) {
    start(spec, script, listening).prompt(1, "go");
    return listening.await(TurnEnded.class).text();
  }

  private Agent start(AttemptSpec spec, String script, RecordingListener listening) {
    return start(spec, "/bin/sh", List.of("-c", script + "\nexit 0", "program"), listening);
  }

  private Agent start(
      AttemptSpec spec, String program, List<String> arguments, RecordingListener listening) {
    Agent agent =
        new StdioDriver(hosting.host(), definition(program, arguments)).start(spec, listening);
    listening.await(Started.class);
    return agent;
  }

  private static CommandDefinition script(String text) {
    return definition("/bin/sh", List.of("-c", text + "\nexit 0", "program"));
  }

  private static CommandDefinition definition(String program, List<String> arguments) {
    AgentSettings settings =
        AgentSettings.defaults().withCommand(program).withArguments(arguments).withHome(Home.OWN);
    return new CommandDefinition(
        settings, new HubEnvironment(Map.of("PATH", System.getenv("PATH"))));
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
