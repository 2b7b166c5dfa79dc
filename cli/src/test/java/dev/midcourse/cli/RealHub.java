package dev.midcourse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.core.json.JsonValue;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * A hub process, started with the normal command, with the rehearsal agent. Closing it stops its
 * runs first, so that no process is left.
 */
public final class RealHub implements AutoCloseable {
  public static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final Path data;
  private Process process;

  private RealHub(Path data, Process process) {
    this.data = data;
    this.process = process;
  }

  public static RealHub start(Path data) throws IOException {
    return new RealHub(data, started(data));
  }

  private static Process started(Path data) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(program(data, List.of("serve", "--port", "0")));
    builder.environment().put("HOME", Files.createDirectories(data.resolve("home")).toString());
    builder.redirectErrorStream(true).redirectOutput(data.resolve("hub.out").toFile());
    Process process = builder.start();
    Awaitility.await("the hub answers")
        .atMost(TIMEOUT)
        .until(() -> !process.isAlive() || HubClient.at(data).health().isPresent());
    assertThat(process.isAlive()).as(Files.readString(data.resolve("hub.out"))).isTrue();
    return process;
  }

  /** Returns the command that runs the command line as a process. */
  static List<String> program(Path data, List<String> words, String... options) {
    List<String> all =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "--enable-native-access=ALL-UNNAMED",
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                "-Dmidcourse.home=" + data));
    all.addAll(List.of(options));
    String path = System.getProperty("java.class.path");
    all.addAll(List.of("-cp", path.replace(File.pathSeparator.repeat(2), File.pathSeparator)));
    all.add(Main.class.getName());
    all.addAll(words);
    return all;
  }

  CliRunner cli() {
    return CliRunner.in(data);
  }

  /** Starts a run of the rehearsal agent and returns when its turn runs. */
  void run(String id, String prompt) {
    CliRunner.Typed typed =
        cli().type("run", "--detach", "--agent", "rehearsal", "--worker", id, "--id", id, prompt);
    assertThat(typed.out()).as(typed.all()).isEqualTo(id + "\n");
    Awaitility.await(id + " runs")
        .atMost(TIMEOUT)
        .until(() -> HubClient.at(data).get("/runs/" + id).number("turn").orElse(0L) > 0);
  }

  /** Kills the hub with SIGKILL; its agents keep running. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Waits until the hub has ended after a shutdown request. */
  void awaitGone() throws InterruptedException {
    assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  void startAgain() throws IOException {
    process = started(data);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    if (!process.isAlive()) {
      startAgain();
    }
    for (JsonValue.Obj run :
        HubClient.at(data).get("/runs?state=queued,running&limit=500").objects("runs")) {
      cli().type("stop", run.text("run_id").orElse(""));
    }
    cli().type("shutdown");
    if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
