package dev.midcourse.proof.attack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent in a container that wants to get out. */
@Tag("sandbox")
class HostileAgentInPodmanTest {
  private static final String IMAGE =
      "localhost/midcourse-attack-test:" + ProcessHandle.current().pid();

  private static AttackedHub hub;

  @BeforeAll
  static void start() throws Exception {
    Process made =
        new ProcessBuilder("../build/test-image", IMAGE).redirectErrorStream(true).start();
    String output = new String(made.getInputStream().readAllBytes(), UTF_8).strip();
    assumeTrue(made.waitFor() != 77, output);
    assertThat(made.exitValue()).as(output).isZero();
    Path folder = AttackedHub.createFolder();
    Path shared = Files.createDirectory(folder.resolve("home/shared"));
    for (String name : new String[] {"sockets.pl", "listener.pl"}) {
      try (InputStream in =
          Objects.requireNonNull(HostileAgentInPodmanTest.class.getResourceAsStream(name))) {
        Files.copy(in, folder.resolve("workspace").resolve(name));
      }
    }
    hub =
        AttackedHub.start(
            folder,
            """
            [workers.online]
            image = "%1$s"
            readable = ["/usr", "%2$s"]

            [workers.offline]
            image = "%1$s"
            network = false
            readable = ["/usr", "%2$s"]

            [workers.careless]
            image = "%1$s"
            readable = ["%3$s"]

            [workers.relaxed]
            image = "%1$s"
            unix_sockets = true
            readable = ["/usr", "%2$s"]
            """
                .formatted(IMAGE, shared, folder.resolve("data")));
    JsonValue.Obj sandbox =
        hub.client().get("/workers").objects("workers").stream()
            .filter(worker -> worker.text("name").orElse("").equals("offline"))
            .map(worker -> worker.object("sandbox"))
            .findFirst()
            .orElseThrow();
    assumeTrue(sandbox.is("works"), sandbox.text("found").orElse("no container runtime works"));
  }

  @AfterAll
  static void end() throws Exception {
    if (hub != null) {
      hub.close();
    }
    new ProcessBuilder("../build/test-image", "--remove", IMAGE)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  @Test
  void neither_the_data_folder_nor_the_home_is_there() throws Exception {
    Files.createDirectories(hub.home().resolve(".ssh"));
    assertThat(
            hub.output(
                "offline",
                """
                cat '%s/token' 2>/dev/null || echo no token
                ls '%s/.ssh' 2>/dev/null || echo no keys
                mkdir place; mount -t tmpfs none place 2>/dev/null || echo not mounted
                """
                    .formatted(hub.data(), hub.home())))
        .isEqualTo("no token\nno keys\nnot mounted");
  }

  /**
   * The workspace is the folder around the data folder, as a home can be, and the settings of the
   * second worker name the data folder. Seen to fail when a tmpfs hides the folder: podman copies
   * into it what it covers.
   */
  @ParameterizedTest
  @ValueSource(strings = {"offline", "careless"})
  void the_data_folder_stays_hidden_where_the_container_gets_a_folder_around_it(String worker)
      throws Exception {
    assertThat(hub.data().resolve("token")).exists();
    String look = "ls -d data home; cat data/token data/midcourse.db 2>/dev/null || echo hidden";
    assertThat(
            hub.run(worker, "hostile", look, hub.data().resolveSibling(".").normalize())
                .text("result"))
        .hasValue("data\nhome\nhidden");
  }

  /**
   * The path sockets are in a folder that is mounted into the container. Seen to fail with the
   * default filter of podman: then all path sockets, the virtual machine socket, the user namespace
   * and the keys are reached, and with a network the abstract socket.
   */
  @ParameterizedTest
  @ValueSource(strings = {"online", "offline"})
  void no_unix_socket_outside_is_reached(String worker) throws Exception {
    assertThat(attack(worker))
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
  }

  @Test
  void a_worker_that_may_have_unix_sockets_gets_these_and_nothing_else() throws Exception {
    assertThat(attack("relaxed"))
        .contains("stream: reached", "datagram: reached", "abstract: reached")
        .contains("virtual machine socket: refused", "ring: refused")
        .contains("user namespace: refused", "keys: refused", "internet socket: works");
  }

  /** Seen to fail with the default filter of podman, which permits the 32-bit interface. */
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

  /** Returns the result of each attack on sockets of a program outside. */
  private static String attack(String worker) throws Exception {
    Path sockets = Files.createTempDirectory(shared(), "sockets");
    String name = "midcourse-attack-podman-" + ProcessHandle.current().pid() + "-" + worker;
    Process listener = perl("listener.pl", sockets.toString(), name);
    try {
      assertThat(listener.inputReader(UTF_8).readLine()).isEqualTo("ready");
      Process free = perl("sockets.pl", sockets.toString(), name);
      assertThat(new String(free.getInputStream().readAllBytes(), UTF_8))
          .as("without a sandbox the attack works")
          .contains("stream: reached", "datagram: reached", "abstract: reached")
          .contains("half of a datagram pair: reached", "half of a raw pair: reached");
      return hub.output(worker, "/usr/bin/perl sockets.pl '%s' %s".formatted(sockets, name));
    } finally {
      listener.destroyForcibly().waitFor();
    }
  }

  private static Path shared() {
    return hub.home().resolve("shared");
  }

  private static Process perl(String script, String folder, String name) throws IOException {
    return new ProcessBuilder("perl", hub.workspace().resolve(script).toString(), folder, name)
        .redirectErrorStream(true)
        .start();
  }
}
