package dev.midcourse.agents.sandbox.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Sets limits for all processes of a program together, by the first means that works here: a cgroup
 * of the hub's own, or a scope of systemd.
 */
public final class TreeLimiter {
  private final Cgroups cgroups;
  private final Optional<SystemdScope> systemd;

  public TreeLimiter(Cgroups cgroups, Optional<SystemdScope> systemd) {
    this.cgroups = cgroups;
    this.systemd = systemd;
  }

  /**
   * Returns the words before a command that limit it.
   *
   * @param name a name that no other program has
   * @param attempt the folder for the record of a cgroup that must be removed later
   * @throws IOException with the reason if no means works
   */
  public List<String> words(TreeLimits limits, String name, Path attempt)
      throws IOException, InterruptedException {
    try {
      return cgroups.create(limits, name, attempt);
    } catch (IOException noCgroup) {
      requireSystemd(noCgroup);
      return systemd.orElseThrow().words(limits, name);
    }
  }

  /** Returns why these limits cannot be set, if they cannot. */
  public Optional<String> obstacle(TreeLimits limits) throws InterruptedException {
    try {
      cgroups.probe(limits);
      return Optional.empty();
    } catch (IOException noCgroup) {
      try {
        requireSystemd(noCgroup);
        return Optional.empty();
      } catch (IOException nothing) {
        return Optional.of(String.valueOf(nothing.getMessage()));
      }
    }
  }

  private void requireSystemd(IOException noCgroup) throws IOException, InterruptedException {
    if (systemd.isEmpty()) {
      throw noCgroup;
    }
    try {
      systemd.get().probe();
    } catch (IOException noScope) {
      noCgroup.addSuppressed(noScope);
      throw noCgroup;
    }
  }
}
