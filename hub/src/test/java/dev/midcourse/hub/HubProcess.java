package dev.midcourse.hub;

import dev.midcourse.hub.boot.HubFile;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A hub process that a test can kill. */
final class HubProcess implements AutoCloseable {
  private final Path data;
  private final Path output;
  private final Process process;

  private HubProcess(Path data, Path output, Process process) {
    this.data = data;
    this.output = output;
    this.process = process;
  }

  static HubProcess start(Path data, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            HubMain.class.getName()));
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile(data.toAbsolutePath().getParent(), "hub", ".out");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(Redirect.from(new File("/dev/null")))
            .redirectOutput(output.toFile());
    builder.environment().put("MIDCOURSE_HOME", data.toString());
    return new HubProcess(data, output, builder.start());
  }

  /** Waits until the hub answers. */
  HubProcess up() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .failFast("it ended: " + output, () -> !process.isAlive())
        .until(() -> client().get("/api/v1/health").status() == 200);
    return this;
  }

  RawClient client() {
    return new RawClient(UnixDomainSocketAddress.of(data.resolve("hub.sock")), Map.of());
  }

  String url() {
    return HubFile.read(data).orElseThrow().url();
  }

  long pid() {
    return process.pid();
  }

  String output() throws IOException {
    return Files.readString(output);
  }

  /** Kills the process with SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      throw new AssertionError("process " + pid() + " cannot be killed");
    }
  }

  /** Ends the process with SIGTERM. */
  void terminate() {
    process.destroy();
  }

  int exit() throws InterruptedException {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("process " + pid() + " does not end");
    }
    return process.exitValue();
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }
}
