package dev.midcourse.agents.sandbox.cgroup;

import dev.midcourse.agents.sandbox.cgroup.TreeLimits.Controller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A mounted hierarchy of cgroups and the cgroup of the hub in it.
 *
 * @param unified whether this is the hierarchy of version 2, which has all controllers
 * @param controllers the controllers of a hierarchy of version 1
 * @param root the top folder that is mounted
 * @param own the folder of the hub's cgroup
 */
record CgroupHierarchy(boolean unified, Set<String> controllers, Path root, Path own) {
  private static final int MOUNT_ROOT = 3;
  private static final int MOUNT_POINT = 4;

  CgroupHierarchy {
    controllers = Set.copyOf(controllers);
  }

  /**
   * Reads the hierarchies from files in the form of {@code /proc/self/mountinfo} and {@code
   * /proc/self/cgroup}.
   */
  static List<CgroupHierarchy> read(Path mounts, Path cgroups) throws IOException {
    if (!Files.isReadable(mounts) || !Files.isReadable(cgroups)) {
      return List.of();
    }
    List<String> memberships = Files.readAllLines(cgroups);
    List<CgroupHierarchy> found = new ArrayList<>();
    for (String line : Files.readAllLines(mounts)) {
      String[] halves = line.split(" - ", 2);
      if (halves.length < 2) {
        continue;
      }
      String[] mount = halves[0].split(" ", -1);
      String[] type = halves[1].split(" ", -1);
      boolean unified = type[0].equals("cgroup2");
      if (mount.length <= MOUNT_POINT || (!unified && !type[0].equals("cgroup"))) {
        continue;
      }
      Set<String> options = Set.copyOf(Arrays.asList(type[type.length - 1].split(",", -1)));
      Path root = Path.of(mount[MOUNT_POINT].replace("\\040", " "));
      membership(memberships, unified, options)
          .ifPresent(path ->
              found.add(
                  new CgroupHierarchy(
                      unified, options, root, folder(root, mount[MOUNT_ROOT], path))));
    }
    return found;
  }

  /** Returns the path of the hub's cgroup in the hierarchy, as the kernel names it. */
  private static Optional<String> membership(
      List<String> lines, boolean unified, Set<String> options) {
    for (String line : lines) {
      String[] parts = line.split(":", 3);
      if (parts.length == 3
          && (unified
              ? parts[0].equals("0")
              : Arrays.stream(parts[1].split(",", -1)).anyMatch(options::contains))) {
        return Optional.of(parts[2]);
      }
    }
    return Optional.empty();
  }

  /**
   * In a container the mount can show only a part of the hierarchy, or the path another part. A hub
   * that has moved into a child of its cgroup still divides the cgroup above it.
   */
  private static Path folder(Path mountPoint, String mountRoot, String path) {
    Path below = Path.of(path);
    Path base = Path.of(mountRoot);
    Path own = below.startsWith(base) ? mountPoint.resolve(base.relativize(below)) : mountPoint;
    if (!Files.isDirectory(own) || own.getParent() == null) {
      return mountPoint;
    }
    return own.endsWith(Cgroups.HUB) ? own.getParent() : own.normalize();
  }

  boolean has(Controller controller) throws IOException {
    return unified
        ? words(own.resolve("cgroup.controllers")).contains(controller.word())
        : controllers.contains(controller.word());
  }

  static List<String> words(Path file) throws IOException {
    return Files.isRegularFile(file)
        ? List.of(Files.readString(file).strip().split("\\s+", -1))
        : List.of();
  }
}
