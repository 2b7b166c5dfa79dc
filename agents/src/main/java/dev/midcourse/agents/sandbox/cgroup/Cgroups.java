package dev.midcourse.agents.sandbox.cgroup;

import dev.midcourse.agents.sandbox.cgroup.TreeLimits.Controller;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Creates cgroups below the cgroup of the hub, where this system lets the hub do so. A cgroup of
 * the hub may itself have limits; they hold for its programs too.
 */
public final class Cgroups {
  static final String HUB = "midcourse-hub";
  private static final String PROCESSES = "cgroup.procs";
  private static final String SUBTREE = "cgroup.subtree_control";

  private final Path mounts;
  private final Path memberships;
  private final long hub;

  /**
   * @param mounts a file in the form of {@code /proc/self/mountinfo}
   * @param memberships a file in the form of {@code /proc/self/cgroup}
   * @param hub the process id of the hub
   */
  public Cgroups(Path mounts, Path memberships, long hub) {
    this.mounts = mounts;
    this.memberships = memberships;
    this.hub = hub;
  }

  public static Cgroups ofThisSystem() {
    return new Cgroups(
        Path.of("/proc/self/mountinfo"),
        Path.of("/proc/self/cgroup"),
        ProcessHandle.current().pid());
  }

  /**
   * Creates a cgroup with these limits.
   *
   * @param name a name that no other program has
   * @param attempt the folder for the record of the cgroup
   * @return the words before a command that move it into the cgroup
   * @throws IOException with the reason if this system does not let the hub create it
   */
  public List<String> create(TreeLimits limits, String name, Path attempt)
      throws IOException, InterruptedException {
    Map<Controller, CgroupHierarchy> where = hierarchies(limits.controllers());
    Map<CgroupHierarchy, Path> folders = new LinkedHashMap<>();
    for (CgroupHierarchy hierarchy : new LinkedHashSet<>(where.values())) {
      folders.put(hierarchy, parent(hierarchy, limits.controllers()).resolve(name));
    }
    Cgroup cgroup = new Cgroup(List.copyOf(folders.values()));
    cgroup.recordIn(attempt);
    try {
      for (Path folder : cgroup.folders()) {
        Files.createDirectory(folder);
      }
      if (limits.memory().isPresent()) {
        CgroupHierarchy hierarchy = where.get(Controller.MEMORY);
        limitMemory(
            Objects.requireNonNull(hierarchy),
            Objects.requireNonNull(folders.get(hierarchy)),
            limits.memory().get());
      }
      if (limits.processes().isPresent()) {
        Path folder = Objects.requireNonNull(folders.get(where.get(Controller.PIDS)));
        write(folder.resolve("pids.max"), limits.processes().get().toString());
      }
    } catch (IOException failure) {
      cgroup.remove();
      throw failure;
    }
    return cgroup.joiningWords();
  }

  /** Checks that a cgroup with these limits can be created, by creating and removing one. */
  public void probe(TreeLimits limits) throws IOException, InterruptedException {
    Path attempt = Files.createTempDirectory("midcourse-cgroup");
    try {
      List<String> _ = create(limits, "midcourse-probe-" + hub + "-" + System.nanoTime(), attempt);
      Optional<Cgroup> made = Cgroup.recordedIn(attempt);
      if (made.isPresent()) {
        made.get().remove();
      }
    } finally {
      Files.deleteIfExists(attempt.resolve("cgroup"));
      Files.delete(attempt);
    }
  }

  private Map<Controller, CgroupHierarchy> hierarchies(Set<Controller> needed) throws IOException {
    List<CgroupHierarchy> all = CgroupHierarchy.read(mounts, memberships);
    Map<Controller, CgroupHierarchy> where = new LinkedHashMap<>();
    for (Controller controller : needed) {
      for (CgroupHierarchy hierarchy : all) {
        if (!where.containsKey(controller) && hierarchy.has(controller)) {
          where.put(controller, hierarchy);
        }
      }
      if (!where.containsKey(controller)) {
        throw new IOException(
            "this system offers the hub no cgroup with the controller " + controller.word());
      }
    }
    return where;
  }

  /** Returns the folder below which cgroups with these controllers can be created. */
  private Path parent(CgroupHierarchy hierarchy, Set<Controller> needed) throws IOException {
    if (!hierarchy.unified()) {
      return writable(hierarchy.own());
    }
    List<IOException> reasons = new ArrayList<>();
    for (Path parent : Stream.of(hierarchy.own(), hierarchy.root()).distinct().toList()) {
      try {
        enableControllers(writable(parent), needed);
        return parent;
      } catch (IOException reason) {
        reasons.add(reason);
      }
    }
    throw reasons.getFirst();
  }

  private static Path writable(Path folder) throws IOException {
    if (!Files.isWritable(folder)) {
      throw new IOException("the hub may not create cgroups in " + folder);
    }
    return folder;
  }

  /**
   * Lets the children of a cgroup of version 2 use the controllers. The kernel refuses this while
   * the cgroup has processes. If the hub is its only process, the hub moves into a child.
   */
  private void enableControllers(Path parent, Set<Controller> needed) throws IOException {
    List<String> passed = CgroupHierarchy.words(parent.resolve(SUBTREE));
    List<String> missing =
        needed.stream().map(Controller::word).filter(word -> !passed.contains(word)).toList();
    if (missing.isEmpty()) {
      return;
    }
    String request = missing.stream().map(word -> "+" + word).collect(Collectors.joining(" "));
    List<String> processes = CgroupHierarchy.words(parent.resolve(PROCESSES));
    if (processes.equals(List.of(Long.toString(hub)))) {
      Path child = parent.resolve(HUB);
      if (!Files.isDirectory(child)) {
        Files.createDirectory(child);
      }
      write(child.resolve(PROCESSES), Long.toString(hub));
    }
    try {
      write(parent.resolve(SUBTREE), request);
    } catch (IOException busy) {
      throw new IOException(
          "the hub shares the cgroup "
              + parent
              + " with other processes, so it cannot divide it: start the hub as a service with"
              + " Delegate=yes",
          busy);
    }
  }

  private static void limitMemory(CgroupHierarchy hierarchy, Path folder, long bytes)
      throws IOException {
    String max = Long.toString(bytes);
    if (hierarchy.unified()) {
      write(folder.resolve("memory.max"), max);
      writeIfThere(folder.resolve("memory.swap.max"), "0");
    } else {
      write(folder.resolve("memory.limit_in_bytes"), max);
      writeIfThere(folder.resolve("memory.memsw.limit_in_bytes"), max);
    }
  }

  private static void writeIfThere(Path file, String text) throws IOException {
    if (Files.exists(file)) {
      write(file, text);
    }
  }

  private static void write(Path file, String text) throws IOException {
    try {
      Files.writeString(file, text);
    } catch (FileSystemException refused) {
      throw new IOException(
          "the kernel does not take " + text + " in " + file + ": " + refused.getReason(), refused);
    }
  }
}
