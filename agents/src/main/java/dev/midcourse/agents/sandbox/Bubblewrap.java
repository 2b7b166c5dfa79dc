package dev.midcourse.agents.sandbox;

import dev.midcourse.agents.process.CommandProbe;
import dev.midcourse.agents.sandbox.mount.BubblewrapMounts;
import dev.midcourse.agents.sandbox.mount.GitGuard;
import dev.midcourse.agents.sandbox.seccomp.SystemCallFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Runs a program in a bubblewrap sandbox with its own namespaces for files, processes and, on
 * request, the network. The program cannot see or signal processes outside, and it has no
 * capabilities to undo a mount.
 */
final class Bubblewrap {
  private static final Duration MAX_PROBE = Duration.ofSeconds(20);
  private static final int MAX_COMPLAINT = 4_096;

  private static final List<String> ISOLATION_OPTIONS =
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

  private static final List<Path> TEMPORARY =
      Stream.of("/tmp", System.getProperty("java.io.tmpdir")).map(Path::of).distinct().toList();

  /** Opens the filter for bubblewrap, which reads it from an open file and closes that file. */
  private static final String OPEN_FILTER = "exec 9<\"$1\" || exit 126; shift; exec \"$@\"";

  private static final List<String> FILTERED = List.of("--seccomp", "9");
  private static final String FILTER = "seccomp";

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

  /** Throws with the reason if the sandbox hides a file without which the program cannot start. */
  static void requireVisible(
      List<String> words, Map<String, String> environment, Sandbox.Bubblewrap settings)
      throws IOException {
    List<Path> files = ProgramFiles.of(words, environment);
    requireVisible(files, mounts(files, settings, List.of()));
  }

  /** Returns the arguments that precede the program's command. */
  List<String> around(SandboxedProgram confined, Sandbox.Bubblewrap settings) throws IOException {
    Path here = confined.workspace().toRealPath();
    List<Path> files = ProgramFiles.of(confined.words(), confined.environment());
    requireNotHidden(here, settings);
    BubblewrapMounts mounts = mounts(files, settings, List.of(confined.home(), here));
    GitGuard.of(here, agentsPlaces(confined, settings.writable()), mounts);
    requireVisible(files, mounts);
    Path filter = confined.folder().path().resolve(FILTER);
    Files.write(filter, filter(settings));
    List<String> words = new ArrayList<>(filtered(filter));
    if (!settings.network()) {
      words.add("--unshare-net");
    }
    words.addAll(List.of("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"));
    words.addAll(mounts.arguments());
    words.addAll(List.of("--chdir", here.toString(), "--"));
    return words;
  }

  private static void requireNotHidden(Path workspace, Sandbox.Bubblewrap settings)
      throws IOException {
    for (Path hidden : settings.hidden()) {
      if (Files.exists(hidden) && Files.isSameFile(hidden, workspace)) {
        throw new MissingDependencyException(
            "the sandbox hides the workspace "
                + workspace
                + ": start the run in another folder, with --dir");
      }
    }
  }

  /**
   * Returns the mounts, except those of the repository. Where the paths of two rules contain each
   * other, the longer path decides: a secret in the workspace stays hidden, and a workspace in the
   * data folder can be used. For the same path the later rule decides.
   *
   * @param own the home and the workspace of the program
   */
  private static BubblewrapMounts mounts(
      List<Path> files, Sandbox.Bubblewrap settings, List<Path> own) throws IOException {
    BubblewrapMounts mounts = new BubblewrapMounts();
    mounts.empty(SOCKETS);
    mounts.readableIfThere(NAMES_OF_HOSTS);
    for (Path temporary : TEMPORARY) {
      mounts.empty(temporary);
    }
    for (Path started : files) {
      for (Path temporary : TEMPORARY) {
        keep(started, temporary, mounts);
      }
    }
    List<Rule> rules = new ArrayList<>(pins(settings.hidden()));
    add(settings.hidden(), Effect.HIDDEN, rules);
    add(settings.visible(), Effect.READABLE, rules);
    add(settings.writable(), Effect.WRITABLE, rules);
    add(own, Effect.WRITABLE, rules);
    rules.sort(Comparator.comparingInt(rule -> rule.path().getNameCount()));
    for (Rule rule : rules) {
      switch (rule.effect()) {
        case PINNED -> mounts.pin(rule.path());
        case HIDDEN -> mounts.hide(rule.path());
        case READABLE -> mounts.readable(rule.path());
        case WRITABLE -> mounts.writable(rule.path());
      }
    }
    return mounts;
  }

  private static void add(List<Path> paths, Effect effect, List<Rule> rules) throws IOException {
    for (Path path : paths) {
      if (Files.exists(path)) {
        rules.add(new Rule(path.toRealPath(), effect));
      }
    }
  }

  /**
   * The folders around hidden paths. A program that could rename one of them would show the hidden
   * path to the next program, because the settings name its old place.
   */
  private static Set<Rule> pins(List<Path> hidden) throws IOException {
    Set<Rule> pins = new LinkedHashSet<>();
    for (Path path : hidden) {
      if (Files.exists(path)) {
        Path around = path.toRealPath().getParent();
        while (around != null && around.getParent() != null) {
          pins.add(new Rule(around, Effect.PINNED));
          around = around.getParent();
        }
      }
    }
    return pins;
  }

  /** Returns the folders that the program, and the programs before it, can write. */
  private static List<Path> agentsPlaces(SandboxedProgram program, List<Path> writable) {
    return Stream.concat(Stream.of(program.workspace(), program.home()), writable.stream())
        .toList();
  }

  private enum Effect {
    PINNED,
    HIDDEN,
    READABLE,
    WRITABLE
  }

  private record Rule(Path path, Effect effect) {}

  /**
   * Refuses a program that the sandbox hides. Without this check the start would fail in the
   * sandbox, with words that do not name the cause.
   */
  private static void requireVisible(List<Path> files, BubblewrapMounts mounts) throws IOException {
    for (Path file : files) {
      Optional<Path> hidden = mounts.hiding(file.toRealPath());
      if (hidden.isPresent()) {
        throw new MissingDependencyException(
            ("the agent needs %s, which is in %s, and the sandbox hides this path:"
                    + " install the agent elsewhere, or add the path to `visible` of the worker")
                .formatted(file, hidden.get()));
      }
    }
  }

  /** Returns the start of the command: bubblewrap with the filter and all namespaces. */
  private List<String> filtered(Path filter) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "/bin/sh",
                "-c",
                OPEN_FILTER,
                "midcourse-filter",
                filter.toString(),
                program.toString()));
    words.addAll(ISOLATION_OPTIONS);
    words.addAll(FILTERED);
    return words;
  }

  private static byte[] filter(Sandbox.Bubblewrap settings) throws IOException {
    SystemCallFilter.Processor processor;
    try {
      processor = SystemCallFilter.Processor.ofThisMachine();
    } catch (IOException unknown) {
      throw new IOException(
          "the sandbox bwrap does not work on this system: "
              + unknown.getMessage()
              + "; use an image (sandbox = \"container\")",
          unknown);
    }
    return SystemCallFilter.program(
        processor, settings.unixSockets() == Sandbox.UnixSockets.ALLOWED);
  }

  /**
   * Keeps a program readable that lies in the temporary folder, together with its installation. The
   * sandbox hides the rest of that folder.
   */
  private static void keep(Path started, Path folder, BubblewrapMounts mounts) throws IOException {
    if (!Files.exists(started) || !Files.isDirectory(folder)) {
      return;
    }
    Path temporary = folder.toRealPath();
    Path real = started.toRealPath();
    Path kept = Optional.of(installation(real)).filter(it -> !it.equals(temporary)).orElse(real);
    if (kept.startsWith(temporary)) {
      mounts.readable(kept);
    }
    if (started.startsWith(folder) && !started.equals(real) && !started.startsWith(kept)) {
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
    CommandProbe.ProbeResult said;
    Path filter = Files.createTempFile("midcourse", ".seccomp");
    try {
      Files.write(filter, filter(Sandbox.Bubblewrap.CLOSED));
      List<String> words = new ArrayList<>(filtered(filter));
      words.addAll(
          List.of("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--", "true"));
      said = new CommandProbe(words, System.getenv(), MAX_PROBE, MAX_COMPLAINT).allWords();
    } finally {
      Files.deleteIfExists(filter);
    }
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
