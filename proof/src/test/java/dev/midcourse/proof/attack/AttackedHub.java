package dev.midcourse.proof.attack;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.hub.HubMain;
import dev.midcourse.ledger.json.JsonCodec;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A hub process of a user with a home of their own, and the agent {@code hostile}, which runs each
 * prompt as a shell script. All folders are below {@code /var/tmp}, because the sandbox hides
 * {@code /tmp} as a whole, and an attack that only fails for this reason would show nothing.
 */
final class AttackedHub implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(4);
  private static final Set<String> LIVE = Set.of("queued", "running");

  private final Path folder;
  private final Process process;

  private AttackedHub(Path folder, Process process) {
    this.folder = folder;
    this.process = process;
  }

  /** Creates the folders of an attack: {@code home}, {@code data} and {@code workspace}. */
  static Path createFolder() throws IOException {
    Path folder = Files.createTempDirectory(Path.of("/var/tmp"), "midcourse-attack");
    for (String name : new String[] {"home", "data", "workspace"}) {
      Files.createDirectory(folder.resolve(name));
    }
    return folder;
  }

  /**
   * Starts the hub in folders that {@link #createFolder} made.
   *
   * @param settings the lines of midcourse.toml besides the agent {@code hostile}
   */
  static AttackedHub start(Path folder, String settings) throws IOException {
    Files.writeString(
        folder.resolve("data/midcourse.toml"),
        """
        [agents.hostile]
        driver = "command"
        command = "/bin/sh"
        arguments = ["-c", "eval \\"$1\\" 2>&1; exit 0", "hostile"]
        home = "user"

        %s
        """
            .formatted(settings));
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-Duser.home=" + folder.resolve("home"),
                "-cp",
                System.getProperty("java.class.path")
                    .replace(File.pathSeparator.repeat(2), File.pathSeparator),
                HubMain.class.getName(),
                "--port",
                "0")
            .redirectErrorStream(true)
            .redirectInput(Redirect.from(new File("/dev/null")))
            .redirectOutput(Redirect.appendTo(folder.resolve("hub.out").toFile()));
    builder.environment().put("HOME", folder.resolve("home").toString());
    builder.environment().put("MIDCOURSE_HOME", folder.resolve("data").toString());
    AttackedHub hub = new AttackedHub(folder, builder.start());
    Awaitility.await("the hub answers")
        .atMost(TIMEOUT)
        .failFast("the hub ended: " + folder.resolve("hub.out"), () -> !hub.process.isAlive())
        .until(() -> hub.client().health().isPresent());
    return hub;
  }

  Path home() {
    return folder.resolve("home");
  }

  Path data() {
    return folder.resolve("data");
  }

  Path workspace() {
    return folder.resolve("workspace");
  }

  HubClient client() {
    return HubClient.at(data());
  }

  /** Runs the script as the agent of the worker, and returns the run when it has ended. */
  JsonValue.Obj run(String worker, String script) {
    return run(worker, "hostile", script, workspace());
  }

  JsonValue.Obj run(String worker, String agent, String script, Path directory) {
    return ended(begin(worker, agent, script, directory));
  }

  /** Starts a run of the script and returns its id. */
  String begin(String worker, String agent, String script, Path directory) {
    return client()
        .postText(
            "/runs",
            JsonCodec.write(
                Map.of(
                    "prompt",
                    script,
                    "agent",
                    agent,
                    "worker",
                    worker,
                    "dir",
                    directory.toString())))
        .text("run_id")
        .orElseThrow();
  }

  /** Returns the run when it has ended. */
  JsonValue.Obj ended(String id) {
    Awaitility.await("run " + id + " ends")
        .atMost(TIMEOUT)
        .until(() -> !LIVE.contains(client().get("/runs/" + id).text("state").orElse("")));
    return client().get("/runs/" + id);
  }

  /** Returns what the script printed, as the agent of the worker. */
  String output(String worker, String script) {
    return run(worker, script).text("result").orElse("").strip();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    process.destroyForcibly().waitFor();
    // The programs of an agent outlive the hub: they may still write when the hub has ended.
    Awaitility.await("the folders are deleted")
        .atMost(TIMEOUT)
        .ignoreExceptionsMatching(
            e -> e instanceof IOException || e instanceof UncheckedIOException)
        .until(() -> {
          delete(folder);
          return true;
        });
  }

  static void delete(Path folder) throws IOException {
    try (Stream<Path> below = Files.walk(folder)) {
      for (Path path : below.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
