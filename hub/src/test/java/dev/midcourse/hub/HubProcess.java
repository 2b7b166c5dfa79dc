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
public final class HubProcess implements AutoCloseable {
  private final Path data;
  private final Path output;
  private final Process process;

  private HubProcess(Path data, Path output, Process process) {
    this.data = data;
    this.output = output;
    this.process = process;
  }

  public static HubProcess start(Path data, String... arguments) throws IOException {
    return start(List.of(), data, arguments);
  }

  /** Starts a hub of another user, which may read the class path wherever it is. */
  static HubProcess startAs(String user, Path data, String... arguments) throws IOException {
    String readEverything = "--%s-caps=+dac_read_search";
    return start(
        List.of(
            "setpriv",
            "--reuid=" + user,
            "--regid=" + user,
            "--clear-groups",
            readEverything.formatted("inh"),
            readEverything.formatted("ambient")),
        data,
        arguments);
  }

  /** Starts a hub with a limit of open files. */
  static HubProcess startWithOpenFiles(int limit, Path data, String... arguments)
      throws IOException {
    String shell = "ulimit -n " + limit + " && exec \"$@\"";
    return start(List.of("/bin/sh", "-c", shell, "sh"), data, arguments);
  }

  /** Starts a hub that finds the classes in the folder before all others. */
  static HubProcess startWithClasses(Path classes, Path data, String... arguments)
      throws IOException {
    List<String> command = command();
    command.replaceAll(word ->
        word.equals(System.getProperty("java.class.path"))
            ? classes + File.pathSeparator + word
            : word);
    return startCommand(command, data, arguments);
  }

  private static HubProcess start(List<String> prefix, Path data, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(command());
    return startCommand(command, data, arguments);
  }

  private static HubProcess startCommand(List<String> command, Path data, String... arguments)
      throws IOException {
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

  /** Returns the command that starts a hub with the classes of this test. */
  public static List<String> command() {
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
    return command;
  }

  /** Waits until the hub answers. */
  public HubProcess up() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .failFast("it ended: " + output, () -> !process.isAlive())
        .until(() -> client().get("/api/v1/health").status() == 200);
    return this;
  }

  public RawClient client() {
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
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      throw new AssertionError("process " + pid() + " cannot be killed");
    }
  }

  /** Ends the process with SIGTERM. */
  void terminate() {
    process.destroy();
  }

  int exit() throws IOException, InterruptedException {
    if (!process.waitFor(3, TimeUnit.MINUTES)) {
      throw new AssertionError("process " + pid() + " does not end; its output: " + output());
    }
    return process.exitValue();
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }
}
