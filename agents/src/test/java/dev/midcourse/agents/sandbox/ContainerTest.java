package dev.midcourse.agents.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch.OutputCheckpoint;
import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AgentSettings.Home;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Attempts;
import dev.midcourse.agents.Hosting;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.RecordingListener;
import dev.midcourse.agents.command.CommandDefinition;
import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.stdio.StdioDriver;
import dev.midcourse.core.agent.AgentEvent.Exited;
import dev.midcourse.core.agent.AgentEvent.Said;
import dev.midcourse.core.agent.AgentEvent.Started;
import dev.midcourse.core.agent.AgentEvent.TurnEnded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Real programs in real containers that try what they may not. */
@Tag("sandbox")
class ContainerTest {
  private static final ImageName IMAGE =
      new ImageName("localhost/midcourse-agents-test:" + ProcessHandle.current().pid());

  private final Hosting hosting = new Hosting();
  private final RecordingListener listener = new RecordingListener();
  private Path folder = Path.of("");
  private Attempts attempts = new Attempts(folder);

  @BeforeAll
  static void makeTheImage() throws Exception {
    Run made = run(Path.of("."), "../build/test-image", IMAGE.value());
    assumeTrue(made.code() != 77, made.output());
    assertThat(made.code()).as(made.output()).isZero();
    try {
      SandboxLauncher.ofThisSystem().means(plain());
    } catch (IOException nothingWorks) {
      System.out.println("skipped: " + nothingWorks.getMessage());
      assumeTrue(false, nothingWorks.getMessage());
    }
  }

  @AfterAll
  static void removeTheImage() throws Exception {
    run(Path.of("."), "../build/test-image", "--remove", IMAGE.value());
  }

  @BeforeEach
  void prepare(@TempDir Path temporary) throws IOException {
    folder = temporary.toRealPath();
    attempts = new Attempts(folder);
  }

  @AfterEach
  void end() {
    hosting.close();
  }

  @Test
  void of_this_machine_there_is_only_what_was_named() throws Exception {
    Path shared = Files.createDirectories(folder.resolve("shared"));
    Path manual = Files.createDirectories(folder.resolve("manual"));
    Files.writeString(manual.resolve("page"), "read me");
    Files.writeString(folder.resolve("secret"), "sesame");
    String said =
        said(
            new Sandbox.Container(IMAGE, true, List.of(shared), List.of(manual)),
            """
            cat /etc/image '%s/page'
            ls -A '%s'
            echo a > here && echo b > "$HOME/there" && echo c > '%s/everywhere'
            (echo d > '%s/page') 2>/dev/null || echo not changed
            cat '%s/secret' 2>/dev/null || echo no secret
            """
                .formatted(manual, folder, shared, manual, folder));
    assertThat(said.lines())
        .containsExactly(
            "made for tests",
            "read mehome",
            "manual",
            "shared",
            "workspace",
            "not changed",
            "no secret");
    assertThat(attempts.workspace().resolve("here")).hasContent("a");
    assertThat(folder.resolve("home/there")).hasContent("b");
    assertThat(shared.resolve("everywhere")).hasContent("c");
    assertThat(manual.resolve("page")).hasContent("read me");
  }

  @Test
  void the_program_gets_its_own_environment_and_none_of_it_is_on_a_command_line() throws Exception {
    String secret = "first \"line\"\nsecond";
    AttemptSpec spec =
        hosting.keep(
            attempts
                .next(Optional.empty(), Map.of("SECRET", secret))
                .confined(new SandboxSpec(plain())));
    start(spec, "echo \"$SECRET\"; echo \"$HOME\"; echo here; sleep 600", listener).prompt(1, "go");
    listener.await(Said.class, said -> said.text().equals("here"));
    assertThat(listener.all(Said.class).stream().map(Said::text))
        .containsExactly("first \"line\"", "second", spec.home().toString(), "here");
    for (var process : hosting.processes(spec)) {
      assertThat(Files.readString(Path.of("/proc", process.pid() + "", "cmdline")))
          .doesNotContain("second", spec.mark());
    }
  }

  /** Seen to fail when the file is written with the default mode of this user. */
  @Test
  void the_filter_of_system_calls_is_not_in_the_container_and_only_this_user_reads_it()
      throws Exception {
    AttemptSpec spec = order(plain());
    Path filter = spec.folder().resolve("seccomp.json");
    assertThat(said(spec, "ls /run/midcourse; ls '%s' 2>/dev/null".formatted(filter), listener))
        .isEqualTo("err\nin\nout");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(filter)))
        .isEqualTo("rw-------");
  }

  /** Seen to fail when the sandbox gets the git folder of the clone and read-only mounts in it. */
  @Test
  void work_is_committed_and_what_git_trusts_stays_what_it_was() throws Exception {
    HostileRepository repository = HostileRepository.in(folder, attempts.workspace());
    Agent agent =
        start(
            order(withThisMachinesPrograms()),
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
   * The same as in bubblewrap: the first agent makes a repository in the workspace. Seen to fail
   * when the container mounts all folders that the repository names, and follows the links in it.
   */
  @ParameterizedTest
  @MethodSource("dev.midcourse.agents.sandbox.AgentMadeRepository#attacks")
  void a_repository_that_an_agent_has_made_uncovers_nothing(AgentMadeRepository attack)
      throws Exception {
    Path secrets = AgentMadeRepository.secrets("container");
    Path other = AgentMadeRepository.other("container");
    Sandbox sandbox = new Sandbox.Container(IMAGE, true, List.of(), List.of(Path.of("/usr")));
    Agent first = start(order(sandbox), attack.script(secrets, other), listener);
    first.prompt(1, "go");
    assertThat(listener.await(TurnEnded.class).text()).endsWith("made");
    first.end(StopTimeouts.IMMEDIATE);
    RecordingListener second = new RecordingListener();
    driver(hosting, AgentMadeRepository.look(secrets, other))
        .start(order(sandbox), second)
        .prompt(1, "go");
    assertThat(AgentMadeRepository.outcome(second)).doesNotContain("sesame", "changed");
    assertThat(other.resolve("git/objects/new")).doesNotExist();
    assertThat(other).isDirectoryNotContaining("glob:**/{main,imported,new*,aside*}");
  }

  /**
   * The workspace, as a home can, contains the folder that is hidden. Seen to fail when only
   * bubblewrap hides folders, and when the folders around the hidden one are no mounts.
   */
  @Test
  void a_hidden_folder_in_the_workspace_stays_hidden() throws Exception {
    Path secrets = Files.createDirectories(attempts.workspace().resolve("share/app/data"));
    Files.writeString(secrets.resolve("token"), "sesame");
    Sandbox sandbox = plain().hiding(List.of(secrets));
    assertThat(
            said(
                sandbox,
                "mv share moved 2>/dev/null; mv share/app moved 2>/dev/null; ls share/app/data; echo x >"
                    + " share/app/file && echo written"))
        .isEqualTo("written");
    assertThat(secrets.resolve("token")).exists();
    assertThat(attempts.workspace().resolve("share/app/file")).exists();
  }

  @Test
  void a_tree_that_escapes_and_ignores_term_is_ended_and_its_container_is_gone() throws Exception {
    AttemptSpec spec = order(plain());
    Agent agent =
        start(
            spec,
            "trap '' TERM; setsid sleep 600 & (env -i sleep 600 &) ; echo here; sleep 600; sleep 600",
            listener);
    agent.prompt(1, "go");
    listener.await(Said.class);
    String container = container(spec);
    assertThat(names()).contains(container);
    await().until(() -> Collections.frequency(hosting.alive(spec), "sleep") == 3);
    agent.end(StopTimeouts.DEFAULT);
    assertThat(hosting.alive(spec)).isEmpty();
    assertThat(names()).doesNotContain(container);
    listener.await(Exited.class);
  }

  @Test
  void an_orphaned_container_is_found_and_removed_by_the_next_hub() throws Exception {
    AttemptSpec spec = order(plain());
    Agent agent = start(spec, "echo here; sleep 600", listener);
    agent.prompt(1, "go");
    listener.await(Said.class);
    agent.detach();
    hosting.processes(spec).stream()
        .filter(process -> !isInside(process.pid()))
        .forEach(
            process -> ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroyForcibly));
    RecordingListener next = new RecordingListener();
    try (Hosting other = new Hosting()) {
      Agent found = driver(other, "").attach(spec, OutputCheckpoint.START, next);
      Awaitility.await().until(() -> other.alive(spec).contains("sleep"));
      found.end(StopTimeouts.DEFAULT);
      assertThat(other.alive(spec)).isEmpty();
    }
    assertThat(names()).doesNotContain(container(spec));
  }

  @Test
  void an_agent_in_a_container_is_found_again_by_the_next_hub_and_takes_a_steer() throws Exception {
    AttemptSpec spec = order(withThisMachinesPrograms());
    NextHub.findsSteersAndEnds(spec, hosting);
    assertThat(names()).doesNotContain(container(spec));
  }

  /** Each of the two programs keeps its part until the other one has got its part too. */
  @Test
  void memory_and_processes_are_bounded_for_all_of_it_together() {
    Sandbox few = new Sandbox.Container(IMAGE, false, List.of(), List.of());
    AttemptSpec spec =
        hosting
            .keep(attempts.next())
            .confined(
                new SandboxSpec(
                    few,
                    Optional.of(64L << 20),
                    Optional.of(1),
                    Optional.of(20),
                    SandboxSpec.Enforcement.REQUIRED));
    String said =
        said(
            spec,
            """
            head -c 20971520 /dev/zero | tail -c 20971520 | wc -c
            take() {
              { head -c 41943040 /dev/zero; touch full-$1; until [ -e full-1 ] && [ -e full-2 ]; do sleep 1; done; } \
                | tail -c 41943040
            }
            { take 1 & take 2; wait; } | wc -c
            (i=0; while [ $i -lt 30 ]; do sleep 2 & i=$((i + 1)); done; echo never) 2>/dev/null
            """,
            listener);
    assertThat(said.lines().findFirst()).contains("20971520");
    assertThat(said).doesNotContain("83886080", "never");
  }

  @Test
  void an_image_that_is_not_here_is_not_fetched_and_nothing_runs() {
    ImageName other = new ImageName("localhost/midcourse-nowhere:1");
    AttemptSpec spec = order(new Sandbox.Container(other, true, List.of(), List.of()));
    driver(hosting, "echo never").start(spec, listener);
    assertThat(listener.await(Exited.class).lastOutput())
        .contains("localhost/midcourse-nowhere:1 is not here", "not pulled");
    assertThat(hosting.alive(spec)).isEmpty();
  }

  private static Sandbox.Container plain() {
    return new Sandbox.Container(IMAGE, true, List.of(), List.of());
  }

  /** An image without Java and git of its own. */
  private static Sandbox.Container withThisMachinesPrograms() throws IOException {
    try (Stream<Path> settings = Files.list(Path.of("/etc"))) {
      List<Path> readable =
          Stream.concat(
                  Stream.of("/usr", System.getProperty("java.home")).map(Path::of),
                  Stream.concat(
                      Stream.of(System.getProperty("java.class.path").split(":", -1)).map(Path::of),
                      settings.filter(path -> path.getFileName().toString().startsWith("java"))))
              .map(Path::toAbsolutePath)
              .toList();
      return new Sandbox.Container(IMAGE, true, List.of(), readable);
    }
  }

  private AttemptSpec order(Sandbox sandbox) {
    return hosting.keep(attempts.next()).confined(new SandboxSpec(sandbox));
  }

  private String said(Sandbox sandbox, String script) {
    return said(order(sandbox), script, listener);
  }

  private String said(AttemptSpec spec, String script, RecordingListener listening) {
    start(spec, script, listening).prompt(1, "go");
    return listening.await(TurnEnded.class).text();
  }

  private Agent start(AttemptSpec spec, String script, RecordingListener listening) {
    Agent agent = driver(hosting, script).start(spec, listening);
    listening.await(Started.class);
    return agent;
  }

  private static StdioDriver driver(Hosting host, String script) {
    AgentSettings settings =
        AgentSettings.defaults()
            .withCommand("/bin/sh")
            .withArguments(List.of("-c", script + "\nexit 0", "program"))
            .withHome(Home.OWN);
    HubEnvironment hub = new HubEnvironment(Map.of("PATH", System.getenv("PATH")));
    return new StdioDriver(host.host(), new CommandDefinition(settings, hub));
  }

  private static String container(AttemptSpec spec) throws IOException {
    return ContainerRecord.in(new AttemptFolder(spec.folder())).orElseThrow().name();
  }

  /** Of all containers there are. */
  private static List<String> names() throws Exception {
    String runtime = SandboxLauncher.ofThisSystem().means(plain());
    return shell(Path.of("."), runtime + " ps --all --format '{{.Names}}'").lines().toList();
  }

  private static boolean isInside(long pid) {
    try {
      Path ours = Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
      return !ours.equals(Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "ns/pid")));
    } catch (IOException gone) {
      return false;
    }
  }

  private static String shell(Path folder, String command) throws Exception {
    Run run = run(folder, "sh", "-c", command);
    assertThat(run.code()).as(run.output()).isZero();
    return run.output();
  }

  private record Run(int code, String output) {}

  private static Run run(Path folder, String... words) throws Exception {
    Process process =
        new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    return new Run(process.waitFor(), output);
  }
}
