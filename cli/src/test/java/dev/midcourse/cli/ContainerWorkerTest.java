package dev.midcourse.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A worker with an image, from the settings to the end of its container, with hubs that are killed.
 */
@Tag("sandbox")
class ContainerWorkerTest {
  private static final String IMAGE =
      "localhost/midcourse-cli-test:" + ProcessHandle.current().pid();
  private static final String TASK =
      "Work:\n$ while [ ! -e go ]; do sleep 0.1; done\n$ sleep 600 & sleep 600";

  @TempDir private Path data;

  @BeforeAll
  static void makeTheImage() throws Exception {
    Process made =
        new ProcessBuilder("../build/test-image", IMAGE).redirectErrorStream(true).start();
    String output = new String(made.getInputStream().readAllBytes(), UTF_8).strip();
    assumeTrue(made.waitFor() != 77, output);
    assertThat(made.exitValue()).as(output).isZero();
  }

  @AfterAll
  static void removeTheImage() throws Exception {
    new ProcessBuilder("../build/test-image", "--remove", IMAGE)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  @Test
  void a_worker_in_a_container_outlives_its_hub_takes_a_steer_and_leaves_nothing_when_stopped()
      throws Exception {
    settings(IMAGE);
    Path workspace = Files.createDirectories(data.resolve("workspace"));
    try (RealHub hub = RealHub.start(data)) {
      JsonValue.Obj sandbox = sandbox();
      assumeTrue(
          sandbox.is("works"), sandbox.text("found").orElse("no container runtime works here"));
      String runtime = sandbox.text("found").orElseThrow();
      assertThat(hub.cli().type("workers").out()).contains(IMAGE + ", " + runtime);
      done(
          hub,
          "run",
          "--detach",
          "--worker",
          "boxed",
          "--id",
          "boxed-run",
          "--dir",
          workspace.toString(),
          TASK);
      Awaitility.await("the first tool is at work")
          .atMost(RealHub.TIMEOUT)
          .until(() -> run().text("state").orElse(""), "running"::equals);
      Awaitility.await("the container is there")
          .atMost(RealHub.TIMEOUT)
          .until(() -> containers(runtime).size() == 1);

      hub.kill();
      assertThat(containers(runtime)).hasSize(1);
      hub.startAgain();

      String said = done(hub, "steer", "boxed-run", "use tabs", "--json");
      Files.createFile(workspace.resolve("go"));
      String steer = said.replaceFirst("(?s).*\"steer_id\" *: *\"([^\"]*)\".*", "$1");
      Awaitility.await("it is in the session")
          .atMost(RealHub.TIMEOUT)
          .until(() -> done(hub, "receipt", steer).contains("injected"));

      done(hub, "stop", "boxed-run");
      assertThat(run().text("state")).hasValue("stopped");
      assertThat(containers(runtime)).isEmpty();
      assertThat(alive("boxed-run")).isEmpty();
    }
  }

  @Test
  void an_image_that_is_not_here_is_reported_by_the_doctor_and_fails_the_run_at_its_first_attempt()
      throws Exception {
    settings("localhost/midcourse-nowhere:1");
    try (RealHub hub = RealHub.start(data)) {
      String reason = "midcourse-nowhere:1";
      JsonValue.Obj sandbox = sandbox();
      assertThat(sandbox.is("works")).isFalse();
      assertThat(hub.cli().type("doctor").out()).contains(reason + " does not work");
      CliRunner.Typed typed =
          hub.cli().type("run", "--worker", "boxed", "--id", "boxed-run", "$ true");
      assertThat(typed.code()).as(typed.all()).isEqualTo(ExitCode.RUN_FAILED);
      assertThat(typed.all()).contains("could not be started", reason, "pull");
      assertThat(HubClient.at(data).get("/runs/boxed-run/attempts").objects("attempts")).hasSize(1);
    }
  }

  private void settings(String image) throws IOException {
    Files.writeString(
        data.resolve("midcourse.toml"),
        """
        [workers.boxed]
        agent = "rehearsal"
        attempts = 3
        image = "%s"
        readable = [%s]
        """
            .formatted(image, programs()));
  }

  /**
   * Returns the files of this machine that the rehearsal agent needs: Java, its libraries, the
   * classes.
   */
  private static String programs() throws IOException {
    try (Stream<Path> etc = Files.list(Path.of("/etc"))) {
      return Stream.of(
              Stream.of("/usr", System.getProperty("java.home")),
              Stream.of(System.getProperty("java.class.path").split(":", -1)),
              etc.map(Path::toString).filter(path -> path.startsWith("/etc/java")))
          .flatMap(paths -> paths)
          .filter(path -> path.startsWith("/"))
          .map(path -> "\"" + path + "\"")
          .collect(Collectors.joining(", "));
    }
  }

  private JsonValue.Obj run() {
    return HubClient.at(data).get("/runs/boxed-run");
  }

  private JsonValue.Obj sandbox() {
    return HubClient.at(data).get("/workers").objects("workers").stream()
        .filter(worker -> worker.text("name").orElse("").equals("boxed"))
        .map(worker -> worker.object("sandbox"))
        .findFirst()
        .orElseThrow();
  }

  private static String done(RealHub hub, String... words) {
    CliRunner.Typed typed = hub.cli().type(words);
    assertThat(typed.code()).as(typed.all()).isEqualTo(ExitCode.DONE);
    return typed.out();
  }

  /** Returns the containers of the test's image. */
  private static List<String> containers(String runtime) throws Exception {
    return output(
            "sh", "-c", runtime + " ps --all --filter ancestor=" + IMAGE + " --format '{{.Names}}'")
        .lines()
        .filter(line -> line.startsWith("midcourse-"))
        .toList();
  }

  /** Returns the processes that have this run in their environment. */
  private static List<String> alive(String run) throws Exception {
    return output("sh", "-c", "grep -lsz '^MIDCOURSE_RUN=" + run + "$' /proc/[0-9]*/environ || :")
        .lines()
        .toList();
  }

  private static String output(String... words) throws Exception {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
