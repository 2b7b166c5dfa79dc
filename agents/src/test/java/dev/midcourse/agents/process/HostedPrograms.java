package dev.midcourse.agents.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.Launch;
import dev.midcourse.agents.process.attempt.OutputFile;
import dev.midcourse.agents.process.attempt.ProcessExit;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.agents.process.input.ProcessInput.InputWriteResult;
import dev.midcourse.agents.process.os.Libc;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.process.tree.TreeKillResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Real programs for one test, in a folder of its own. After the test, also a failed one, every tree
 * is ended, and the test fails if anything of it is still alive.
 */
public final class HostedPrograms implements BeforeEachCallback, AfterEachCallback {

  public static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final String ALARM = "alarm 120; exec { $ARGV[0] } @ARGV; die";
  public static final Duration SOON = Duration.ofMillis(100);

  private final PlatformSupport means;
  private final List<ProcessMarker> marks = new ArrayList<>();
  private final List<AttemptFolder> folders = new ArrayList<>();
  private final List<HostedProcess> programs = new ArrayList<>();
  private @Nullable Path root;
  private @Nullable ProcessHost host;

  public HostedPrograms(PlatformSupport means) {
    this.means = means;
  }

  public HostedPrograms() {
    this(PlatformSupport.ofThisSystem().withNet(Duration.ofMillis(200)));
  }

  @Override
  public void beforeEach(ExtensionContext context) throws IOException {
    root = Files.createTempDirectory("midcourse-process");
    host = ProcessHost.open(means);
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    ProcessHost host = host();
    List<Object> survivors = new ArrayList<>();
    for (int i = 0; i < marks.size(); i++) {
      if (host.tree(folders.get(i), marks.get(i)).end(StopTimeouts.IMMEDIATE, () -> {})
          instanceof TreeKillResult.Survived survived) {
        survivors.add(survived);
      }
    }
    programs.forEach(HostedProcess::close);
    assertThat(survivors).isEmpty();
    assertThat(host.marksAlive().keySet()).noneMatch(marks::contains);
    host.close();
    try (var files = Files.walk(root())) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }

  public ProcessHost host() {
    return Objects.requireNonNull(host);
  }

  public Path root() {
    return Objects.requireNonNull(root);
  }

  /** Returns a folder and a mark. All programs that are started there are ended after the test. */
  public AttemptFolder folder(ProcessMarker mark) throws IOException {
    return lookAfter(AttemptFolder.create(root().resolve("attempt-" + marks.size())), mark);
  }

  /** Returns a folder that another process creates. */
  public AttemptFolder lookAfter(AttemptFolder folder, ProcessMarker mark) {
    marks.add(mark);
    folders.add(folder);
    return folder;
  }

  /** The program gets an alarm, so that it does not outlive a test run that was killed for long. */
  Launch launch(ProcessMarker mark, String... command) {
    List<String> limited = new ArrayList<>(List.of("/usr/bin/perl", "-e", ALARM));
    limited.addAll(List.of(command));
    return new Launch(limited, Map.of("PATH", path()), root(), mark);
  }

  static String path() {
    return System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
  }

  HostedProcess start(String... command) throws IOException, InterruptedException {
    ProcessMarker mark = ProcessMarker.fresh();
    return start(launch(mark, command), folder(mark));
  }

  HostedProcess start(Launch launch, AttemptFolder folder)
      throws IOException, InterruptedException {
    HostedProcess program = host().start(launch, folder);
    programs.add(program);
    return program;
  }

  public HostedProcess shell(String script) throws IOException, InterruptedException {
    return start("/bin/sh", "-c", script);
  }

  public HostedProcess perl(String script) throws IOException, InterruptedException {
    return start("/usr/bin/perl", "-e", script);
  }

  /** Waits until the program has written the text to its output. */
  public static void awaitOutput(HostedProcess program, String text) {
    await(() -> assertThat(output(program)).contains(text));
  }

  public static InputWriteResult write(HostedProcess program, String text)
      throws InterruptedException {
    return program.write(text.getBytes(StandardCharsets.UTF_8), TIMEOUT);
  }

  public static ProcessExit exitOf(HostedProcess program) throws Exception {
    return program.onExit().get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }

  public static void await(ThrowingRunnable assertion) {
    Awaitility.await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(5)).untilAsserted(assertion);
  }

  public static long wrapperPid(HostedProcess program) throws IOException {
    return program.folder().wrapper().orElseThrow().pid();
  }

  public static void kill(long pid) {
    Libc.load().orElseThrow().kill(pid, Libc.SIGKILL);
  }

  /** Whether it lives; one that is dead and not yet collected does not. */
  public static boolean isAlive(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return !stat.substring(stat.lastIndexOf(')')).startsWith(") Z");
    } catch (IOException gone) {
      return false;
    }
  }

  static String errors(HostedProcess program) throws IOException {
    return Files.readString(program.folder().output(OutputFile.ERR), StandardCharsets.UTF_8);
  }

  public static String output(HostedProcess program) throws IOException {
    return Files.readString(program.folder().output(OutputFile.OUT), StandardCharsets.UTF_8);
  }
}
