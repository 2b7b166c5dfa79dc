package dev.midcourse.agents.process.tree;

/**
 * A living process of a tree.
 *
 * @param state the state in the system's process table, where {@code D} is uninterruptible; {@code
 *     ?} where the state is unknown
 */
public record LiveProcess(long pid, String name, char state) {

  static LiveProcess of(ProcessEntry entry) {
    return new LiveProcess(entry.pid(), entry.name(), entry.state());
  }
}
