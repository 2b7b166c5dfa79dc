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
 * Runs a program in a bubblewrap sandbox with its own namespaces for files, processes and, on
 * request, the network. The program cannot see or signal processes outside, and it has no
 * capabilities to undo a mount.
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

  /**
   * The folder of sockets. The sandbox gets an empty one, because a program could use a readable
   * socket to reach other programs.
   */
  private static final Path SOCKETS = Path.of("/run");

  private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

  private static final Path PACKAGES = Path.of("node_modules");

  private static final String NAMES_OF_HOSTS = "/run/systemd/resolve";

  private final Path program;

  private Bubblewrap(Path program) {
    this.program = program;
  }

  /** Returns the bubblewrap of this system, after a probe that it works. */
  static Bubblewrap find(SystemPrograms programs) throws IOException, InterruptedException {
    Bubblewrap found = new Bubblewrap(programs.need("bwrap", "bubblewrap"));
    found.probe();
    return found;
  }

  @Override
  public String toString() {
    return program.toString();
  }

  /** Returns the arguments that precede the program's command. */
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

  /**
   * Keeps a program readable that lies in the temporary folder, together with its installation. The
   * sandbox hides the rest of that folder.
   */
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
   * Returns the files that a program may load: the {@code node_modules} folder that contains the
   * program, or the parent of its {@code bin} folder, or else only the program itself.
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

  /**
   * Checks that bubblewrap works on this system. Containers and hardened kernels often forbid it.
   */
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
