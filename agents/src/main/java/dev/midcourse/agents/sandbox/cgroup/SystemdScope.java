package dev.midcourse.agents.sandbox.cgroup;

import dev.midcourse.agents.process.CommandProbe;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Limits by a scope of systemd: of the user's own manager, or of the system's for root. The command
 * replaces {@code systemd-run}, so it keeps its process, its input and its output. Systemd removes
 * the scope when its last process has ended.
 */
public final class SystemdScope {
  private static final Duration MAX_PROBE = Duration.ofSeconds(20);
  private static final int MAX_OUTPUT = 4_096;

  /** Where the manager of a user listens. Only systemd-run needs these variables. */
  private static final List<String> VARIABLES =
      List.of("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS");

  /**
   * Prints the limits of the own cgroup. An older manager accepts limits and does not set them, so
   * the probe looks.
   */
  private static final String PRINT_LIMITS =
      "IFS=: read -r _ _ own </proc/self/cgroup && cd \"/sys/fs/cgroup$own\" && cat memory.max pids.max";

  private final Path program;
  private final boolean ofSystem;
  private final Map<String, String> environment;

  public SystemdScope(Path program, boolean ofSystem, Map<String, String> environment) {
    this.program = program;
    this.ofSystem = ofSystem;
    this.environment = Map.copyOf(environment);
  }

  /**
   * Returns the words before a command that run it in a scope with these limits.
   *
   * @param name a name that no other program has
   */
  public List<String> words(TreeLimits limits, String name) {
    List<String> words = new ArrayList<>(List.of("/usr/bin/env"));
    Map<String, String> needed = new TreeMap<>();
    for (String variable : VARIABLES) {
      String value = environment.get(variable);
      if (value != null) {
        needed.put(variable, value);
      }
    }
    needed.forEach((variable, value) -> words.add(variable + "=" + value));
    words.add(program.toString());
    if (!ofSystem) {
      words.add("--user");
    }
    words.addAll(List.of("--scope", "--quiet", "--collect", "--unit=" + name));
    limits
        .memory()
        .ifPresent(
            bytes -> words.addAll(List.of("-p", "MemoryMax=" + bytes, "-p", "MemorySwapMax=0")));
    limits.processes().ifPresent(max -> words.addAll(List.of("-p", "TasksMax=" + max)));
    words.add("--");
    if (!needed.isEmpty()) {
      words.add("/usr/bin/env");
      needed.keySet().forEach(variable -> words.addAll(List.of("-u", variable)));
    }
    return words;
  }

  /** Checks that a scope gets the limits that are asked for. */
  public void probe() throws IOException, InterruptedException {
    TreeLimits limits = new TreeLimits(Optional.of(64L << 20), Optional.of(32));
    List<String> words =
        new ArrayList<>(words(limits, "midcourse-probe-" + ProcessHandle.current().pid()));
    words.addAll(List.of("/bin/sh", "-c", PRINT_LIMITS));
    CommandProbe.ProbeResult result =
        new CommandProbe(words, environment, MAX_PROBE, MAX_OUTPUT).allWords();
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    String expected = (64L << 20) + "\n32";
    if (!result.code().equals(OptionalInt.of(0)) || !result.out().strip().equals(expected)) {
      throw new IOException(program + " sets no limits: " + result.out().strip());
    }
  }
}
