package dev.midcourse.agents.process;

import static org.assertj.core.api.Assertions.assertThat;

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
final class HostedPrograms implements BeforeEachCallback, AfterEachCallback {

  static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String ALARM = "alarm 120; exec { $ARGV[0] } @ARGV; die";
  static final Duration SOON = Duration.ofMillis(100);

  private final Means means;
  private final List<Mark> marks = new ArrayList<>();
  private final List<AttemptFolder> folders = new ArrayList<>();
  private final List<Hosted> programs = new ArrayList<>();
  private @Nullable Path root;
  private @Nullable ProcessHost host;

  HostedPrograms(Means means) {
    this.means = means;
  }

  HostedPrograms() {
    this(Means.ofThisSystem().withNet(Duration.ofMillis(200)));
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
      if (host.tree(folders.get(i), marks.get(i)).end(Grace.none(), () -> {})
          instanceof Ending.Survived survived) {
        survivors.add(survived);
      }
    }
    programs.forEach(Hosted::close);
    assertThat(survivors).isEmpty();
    assertThat(host.marksAlive().keySet()).noneMatch(marks::contains);
    host.close();
    try (var files = Files.walk(root())) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }

  ProcessHost host() {
    return Objects.requireNonNull(host);
  }

  Path root() {
    return Objects.requireNonNull(root);
  }

  /** A folder and mark that are cleaned up after the test, whoever starts something there. */
  AttemptFolder folder(Mark mark) throws IOException {
    return lookAfter(AttemptFolder.create(root().resolve("attempt-" + marks.size())), mark);
  }

  /** A folder that somebody else makes or has made. */
  AttemptFolder lookAfter(AttemptFolder folder, Mark mark) {
    marks.add(mark);
    folders.add(folder);
    return folder;
  }

  /** The program gets an alarm, so that it does not outlive a test run that was killed for long. */
  Launch launch(Mark mark, String... command) {
    List<String> limited = new ArrayList<>(List.of("/usr/bin/perl", "-e", ALARM));
    limited.addAll(List.of(command));
    return new Launch(limited, Map.of("PATH", path()), root(), mark);
  }

  static String path() {
    return System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
  }

  Hosted start(String... command) throws IOException, InterruptedException {
    Mark mark = Mark.fresh();
    return start(launch(mark, command), folder(mark));
  }

  Hosted start(Launch launch, AttemptFolder folder) throws IOException, InterruptedException {
    Hosted program = host().start(launch, folder);
    programs.add(program);
    return program;
  }

  Hosted shell(String script) throws IOException, InterruptedException {
    return start("/bin/sh", "-c", script);
  }

  Hosted perl(String script) throws IOException, InterruptedException {
    return start("/usr/bin/perl", "-e", script);
  }

  /** Waits until the program has written the text to its output. */
  static void awaitOutput(Hosted program, String text) {
    await(() -> assertThat(output(program)).contains(text));
  }

  static Fed write(Hosted program, String text) throws InterruptedException {
    return program.write(text.getBytes(StandardCharsets.UTF_8), PATIENCE);
  }

  static Exit exitOf(Hosted program) throws Exception {
    return program.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  static void await(ThrowingRunnable assertion) {
    Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).untilAsserted(assertion);
  }

  static long wrapperPid(Hosted program) throws IOException {
    return program.folder().wrapper().orElseThrow().pid();
  }

  static void kill(long pid) {
    Libc.load().orElseThrow().kill(pid, Libc.SIGKILL);
  }

  /** Whether it lives; one that is dead and not yet collected does not. */
  static boolean isAlive(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return !stat.substring(stat.lastIndexOf(')')).startsWith(") Z");
    } catch (IOException gone) {
      return false;
    }
  }

  static String errors(Hosted program) throws IOException {
    return Files.readString(program.folder().output(OutputFile.ERR), StandardCharsets.UTF_8);
  }

  static String output(Hosted program) throws IOException {
    return Files.readString(program.folder().output(OutputFile.OUT), StandardCharsets.UTF_8);
  }
}
