package dev.midcourse.agents.sandbox;

import dev.midcourse.agents.process.CommandProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The light sandbox: namespaces of its own for files, processes and, if wanted, the network. The
 * program in it sees and signals no process outside, and has no rights to undo what was mounted.
 */
final class Bubblewrap {
  private static final Duration MAX_PROBE = Duration.ofSeconds(20);
  private static final int MAX_COMPLAINT = 4_096;

  private static final List<String> ALONE =
      List.of(
          "--unshare-user",
          "--unshare-pid",
          "--unshare-ipc",
          "--unshare-uts",
          "--unshare-cgroup-try",
          "--cap-drop",
          "ALL");

  /** Sockets of other programs are files too, and can be talked to where they can be read. */
  private static final Path SOCKETS = Path.of("/run");

  private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

  private static final Path PACKAGES = Path.of("node_modules");

  private static final String NAMES_OF_HOSTS = "/run/systemd/resolve";

  private final Path program;

  private Bubblewrap(Path program) {
    this.program = program;
  }

  /** The one on this system, if it works here. */
  static Bubblewrap find(SystemPrograms programs) throws IOException, InterruptedException {
    Bubblewrap found = new Bubblewrap(programs.need("bwrap", "bubblewrap"));
    found.probe();
    return found;
  }

  @Override
  public String toString() {
    return program.toString();
  }

  /** The words in front of the program's command. */
  List<String> around(SandboxedProgram confined, Sandbox.Bubblewrap settings) throws IOException {
    Path here = confined.workspace().toRealPath();
    BubblewrapMounts mounts = new BubblewrapMounts();
    mounts.empty(SOCKETS);
    mounts.readableIfThere(NAMES_OF_HOSTS);
    mounts.empty(TEMPORARY);
    for (Path started : confined.files()) {
      keep(started, mounts);
    }
    for (Path hidden : settings.hidden()) {
      mounts.hide(hidden);
    }
    for (Path writable : settings.writable()) {
      mounts.writable(writable);
    }
    mounts.writable(confined.home());
    mounts.writable(here);
    GitGuard.of(here, mounts);
    List<String> words = new ArrayList<>();
    words.add(program.toString());
    words.addAll(ALONE);
    if (!settings.network()) {
      words.add("--unshare-net");
    }
    words.addAll(List.of("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"));
    words.addAll(mounts.arguments());
    words.addAll(List.of("--chdir", here.toString(), "--"));
    return words;
  }

  /** What lies among the temporary files stays there, with what it was installed with. */
  private static void keep(Path started, BubblewrapMounts mounts) throws IOException {
    if (!Files.exists(started)) {
      return;
    }
    Path temporary = TEMPORARY.toRealPath();
    Path real = started.toRealPath();
    Path kept = Optional.of(installation(real)).filter(it -> !it.equals(temporary)).orElse(real);
    if (kept.startsWith(temporary)) {
      mounts.readable(kept);
    }
    if (started.startsWith(TEMPORARY) && !started.equals(real) && !started.startsWith(kept)) {
      mounts.link(started, real);
    }
  }

  /**
   * What a program may load: all packages beside one of Node's, or what lies beside its {@code
   * bin}; else only itself.
   */
  private static Path installation(Path program) {
    Path around = program.getRoot();
    for (Path name : program) {
      around = around.resolve(name);
      if (name.equals(PACKAGES)) {
        return around;
      }
    }
    return Optional.ofNullable(program.getParent())
        .filter(folder -> folder.endsWith("bin"))
        .map(Path::getParent)
        .orElse(program);
  }

  /** Whether this system lets us; containers and hardened kernels often do not. */
  private void probe() throws IOException, InterruptedException {
    List<String> words = new ArrayList<>();
    words.add(program.toString());
    words.addAll(ALONE);
    words.addAll(List.of("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--", "true"));
    CommandProbe.ProbeResult said =
        new CommandProbe(words, System.getenv(), MAX_PROBE, MAX_COMPLAINT).allWords();
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (!said.code().equals(OptionalInt.of(0))) {
      String why = said.out().strip();
      throw new IOException(
          "the sandbox bwrap does not work on this system: "
              + (why.isEmpty() ? "it gives no reason" : why));
    }
  }
}
