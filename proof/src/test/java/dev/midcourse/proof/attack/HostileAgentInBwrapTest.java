package dev.midcourse.proof.attack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.core.json.JsonValue;
import dev.midcourse.hub.boot.HiddenPaths;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent in bubblewrap that wants to get out. */
@Tag("sandbox")
class HostileAgentInBwrapTest {
  private static final String SECRET = "open sesame";

  /** A file of each kind of secrets. */
  private static final List<String> USUAL_SECRETS =
      List.of(
          ".ssh/id_ed25519",
          ".mozilla/firefox/profile/logins.json",
          ".config/google-chrome/Default/Cookies",
          ".thunderbird/profile/mail",
          ".aws/credentials",
          ".git-credentials",
          ".npmrc",
          ".pgpass",
          ".bash_history",
          ".Xauthority",
          ".codex/auth.json");

  private static AttackedHub hub;

  @BeforeAll
  static void start() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/bwrap")), "bwrap is missing");
    Path folder = AttackedHub.createFolder();
    for (String name : new String[] {"sockets.pl", "listener.pl"}) {
      try (InputStream in =
          Objects.requireNonNull(HostileAgentInBwrapTest.class.getResourceAsStream(name))) {
        Files.copy(in, folder.resolve(name));
      }
    }
    Path agent = Files.createDirectories(folder.resolve("home/.mozilla")).resolve("agent");
    Files.writeString(agent, "#!/bin/sh\necho started\n");
    Files.setPosixFilePermissions(agent, PosixFilePermissions.fromString("rwx------"));
    hub =
        AttackedHub.start(
            folder,
            """
            [workers.online]
            sandbox = "bwrap"

            [workers.offline]
            sandbox = "bwrap"
            network = false

            [workers.relaxed]
            sandbox = "bwrap"
            unix_sockets = true
            visible = ["~/.npmrc", "~/.docker/cli-plugins", "%s"]

            [agents.installed-in-a-browser]
            driver = "command"
            command = "%s"
            """
                .formatted(folder.resolve("data"), agent));
  }

  @AfterAll
  static void end() throws Exception {
    if (hub != null) {
      hub.close();
    }
  }

  /** Seen to fail when `visible` of a worker can name the data folder. */
  @ParameterizedTest
  @ValueSource(strings = {"online", "relaxed"})
  void t125_the_data_folder_has_nothing_for_the_agent(String worker) {
    assertThat(hub.data().resolve("token")).exists();
    assertThat(
            hub.output(
                worker,
                """
                cat '%1$s/token' '%1$s/midcourse.db' 2>/dev/null || echo hidden
                ls '%1$s/hub.sock' 2>/dev/null || echo no socket
                """
                    .formatted(hub.data())))
        .isEqualTo("hidden\nno socket");
  }

  /**
   * The listener is in the home, where the programs of a user have their sockets. Seen to fail
   * without the filter of system calls: then everything but the half of a stream pair is reached.
   */
  @ParameterizedTest
  @ValueSource(strings = {"online", "offline"})
  void no_unix_socket_outside_is_reached(String worker) throws Exception {
    Path sockets = Files.createTempDirectory(hub.home(), "sockets");
    String name = "midcourse-attack-" + ProcessHandle.current().pid() + "-" + worker;
    Process listener = perl("listener.pl", sockets.toString(), name);
    try {
      assertThat(listener.inputReader(UTF_8).readLine()).isEqualTo("ready");
      Process free = perl("sockets.pl", sockets.toString(), name);
      assertThat(new String(free.getInputStream().readAllBytes(), UTF_8))
          .as("without a sandbox the attack works")
          .contains("stream: reached", "datagram: reached", "abstract: reached")
          .contains("half of a datagram pair: reached", "half of a raw pair: reached");
      assertThat(
              hub.output(
                  worker, "perl '%s' '%s' %s".formatted(script("sockets.pl"), sockets, name)))
          .isEqualTo(
              """
              stream: refused
              datagram: refused
              abstract: refused
              half of a datagram pair: refused
              half of a raw pair: refused
              half of a stream pair: refused
              family with upper bits: refused
              virtual machine socket: refused
              ring: refused
              user namespace: refused
              process in a user namespace: refused
              keys: refused
              own pair: works
              internet socket: works\
              """);
    } finally {
      listener.destroyForcibly().waitFor();
    }
  }

  /**
   * The call numbers of a 32-bit program are others, and so is its number of socket(). Seen to fail
   * when the filter does not ask which interface a call uses.
   */
  @Test
  void a_call_of_the_32_bit_interface_ends_the_process() throws Exception {
    assumeTrue("amd64".equals(System.getProperty("os.arch")), "only amd64 has this interface");
    Path program = hub.workspace().resolve("int80");
    Files.write(program, Int80Program.bytes());
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    assumeTrue(
        new ProcessBuilder(program.toString()).start().waitFor() == 0,
        "this kernel has no 32-bit interface");
    assertThat(hub.output("online", "./int80; echo $?"))
        .as("128 and the number of SIGSYS")
        .endsWith("159");
  }

  /**
   * The first places are named here, so that a place that is missing in the list is found. Seen to
   * fail when the list has only keys and clouds in it, and when its patterns stand for nothing.
   */
  @Test
  void no_place_of_secrets_in_the_home_can_be_read() throws Exception {
    Files.createDirectories(hub.home().resolve(".config/harmless"));
    Files.writeString(hub.home().resolve(".config/harmless/file"), SECRET);
    Files.createDirectories(hub.home().resolve(".docker/cli-plugins"));
    for (String file : USUAL_SECRETS) {
      Path path = hub.home().resolve(file);
      Files.createDirectories(path.getParent());
      Files.writeString(path, SECRET);
    }
    int count = 0;
    for (String pattern : listed()) {
      Path path = hub.home().resolve(pattern.replace("*", "x"));
      Files.createDirectories(path.getParent());
      count++;
      if (Files.isRegularFile(path) || (count % 2 == 0 && Files.notExists(path))) {
        Files.writeString(path, SECRET);
      } else {
        Files.writeString(Files.createDirectories(path).resolve("file"), SECRET);
      }
    }
    assertThat(hub.output("online", "grep -rls '" + SECRET + "' ~"))
        .isEqualTo(hub.home().resolve(".config/harmless/file").toString());
    assertThat(count).isGreaterThan(150);
    assertThat(hub.output("offline", "ls ~/.config | grep harmless; ls ~/.ssh"))
        .startsWith("harmless");
    assertThat(hub.output("relaxed", "cat ~/.npmrc; echo; ls ~/.docker; cat ~/.pypirc ~/.ssh/*"))
        .startsWith(SECRET + "\ncli-plugins")
        .containsOnlyOnce(SECRET);
  }

  /** Seen to fail when the workspace is mounted over the hidden paths in it. */
  @Test
  void a_run_in_the_home_itself_finds_no_secrets_either() throws Exception {
    Path key = Files.createDirectories(hub.home().resolve(".ssh")).resolve("key");
    Files.writeString(key, SECRET);
    assertThat(
            hub.run(
                    "online",
                    "hostile",
                    "ls -d . && cat .ssh/key ../data/token 2>/dev/null || echo hidden",
                    hub.home())
                .text("result"))
        .hasValue(".\nhidden");
    assertThat(
            hub.run(
                    "online",
                    "hostile",
                    "cat data/token || echo hidden",
                    hub.home().resolveSibling(".").normalize())
                .text("result")
                .orElse(""))
        .endsWith("hidden");
  }

  private static List<String> listed() {
    return HiddenPaths.of(hub.data()).listed().stream()
        .map(HiddenPaths.Listed::pattern)
        .filter(pattern -> !pattern.startsWith("$"))
        .toList();
  }

  /** Seen to fail when the run was started and its agent was not found in the sandbox. */
  @Test
  void an_agent_in_a_hidden_folder_fails_its_run_at_once_with_the_reason() {
    JsonValue.Obj run = hub.run("online", "installed-in-a-browser", "go", hub.workspace());
    assertThat(run.text("state")).hasValue("failed");
    assertThat(run.text("result").orElse(""))
        .contains("/.mozilla, and the sandbox hides this path", "visible");
  }

  private static Process perl(String script, String... arguments) throws IOException {
    List<String> words = new java.util.ArrayList<>(List.of("perl", script(script).toString()));
    words.addAll(List.of(arguments));
    return new ProcessBuilder(words).redirectErrorStream(true).start();
  }

  private static Path script(String name) {
    return hub.home().resolveSibling(name);
  }
}
