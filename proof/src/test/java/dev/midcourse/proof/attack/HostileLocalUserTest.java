package dev.midcourse.proof.attack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Another user of the machine, who wants to read what the hub and its agents do. */
@Tag("sandbox")
class HostileLocalUserTest {
  private static final String NOBODY = "65534";
  private static final String SECRET = "the secret plan of " + ProcessHandle.current().pid();

  private Path folder = Path.of("");
  private Path memory = Path.of("");
  private AttackedHub hub;

  /** The folders above are open, so that only the hub's own folders protect it. */
  @BeforeEach
  void start() throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "only root can be another user");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "setpriv is missing");
    folder = AttackedHub.createFolder();
    for (String name : new String[] {".", "home", "workspace"}) {
      open(folder.resolve(name));
    }
    memory = Files.createTempDirectory(Path.of("/dev/shm"), "midcourse-attack");
    open(memory);
    Files.createSymbolicLink(folder.resolve("data/ipc"), memory);
    hub =
        AttackedHub.start(
            folder,
            """
            environment = { ATTACKED = "%s" }

            [groups.watcher]
            role = "observer"
            """
                .formatted(SECRET));
  }

  @AfterEach
  void end() throws Exception {
    if (hub != null) {
      hub.close();
      AttackedHub.delete(memory);
    }
  }

  /** Seen to fail when folders and files of a mailbox get their permissions from the umask. */
  @Test
  void mailboxes_in_memory_are_closed_to_other_users() throws Exception {
    Path tasks = memory.resolve("watcher/tasks");
    Files.writeString(
        tasks.resolve("a.json"), "{\"type\":\"no_such_type\",\"text\":\"" + SECRET + "\"}");
    Path input = memory.resolve("watcher/input");
    await("an answer").atMost(Duration.ofMinutes(2)).until(() -> !files(input).isEmpty());
    open(memory); // even then the folders in it are closed
    assertThat(asNobody("find '%s' -type f; cat '%s'/*".formatted(memory, input)))
        .doesNotContain(".json\n", SECRET);
    for (Path answer : files(input)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(answer)))
          .isEqualTo("rw-------");
    }
  }

  /**
   * The agent is alive and has a secret in its environment. Root shows that the attack finds
   * everything where it is allowed. Seen to fail when the data folder stays open; when token, log
   * or ledger in an open data folder can be read; when the socket is open and takes every user; and
   * when a variable of the agent is on a command line.
   */
  @Test
  void token_ledger_socket_and_the_agents_environment_are_closed_to_other_users() throws Exception {
    String run =
        hub.begin(
            "any",
            "hostile",
            "touch started; for i in $(seq 6000); do [ -e stop ] || sleep 0.1; done",
            hub.workspace());
    try {
      await("the agent").atMost(Duration.ofMinutes(2)).until(() -> exists("started"));
      Path log = hub.data().resolve("hub.log");
      await("the log").atMost(Duration.ofMinutes(2)).until(() -> Files.size(log) > 0);
      List<String> secrets =
          List.of(firstLine("token"), firstLine("hub.log"), "SQLite format", "\"runs\"", SECRET);
      String attack =
          """
          ls '%1$s'; cat '%1$s/token' '%1$s/midcourse.db' '%1$s/hub.log'
          curl -s --unix-socket '%1$s/hub.sock' http://localhost/api/v1/runs
          cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep ^ATTACKED=
          ps -ef; cat /proc/[0-9]*/cmdline
          """
              .formatted(hub.data());
      assertThat(as("0", attack)).contains("hub.lock").contains(secrets);
      assertThat(asNobody(attack)).doesNotContain("hub.lock").doesNotContain(secrets);
      open(hub.data()); // even then the files in it are closed
      assertThat(asNobody(attack)).contains("hub.lock").doesNotContain(secrets);
    } finally {
      Files.createFile(hub.workspace().resolve("stop"));
      assertThat(hub.ended(run).text("state")).hasValue("done");
    }
  }

  private String firstLine(String file) throws IOException {
    return Files.readString(hub.data().resolve(file)).lines().findFirst().orElseThrow();
  }

  private boolean exists(String file) {
    return Files.exists(hub.workspace().resolve(file));
  }

  private static void open(Path path) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  private static String asNobody(String script) throws Exception {
    return as(NOBODY, script);
  }

  private static String as(String user, String script) throws Exception {
    Process process =
        new ProcessBuilder(
                "setpriv",
                "--reuid=" + user,
                "--regid=" + user,
                "--clear-groups",
                "sh",
                "-c",
                script)
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    process.waitFor();
    return output;
  }
}
