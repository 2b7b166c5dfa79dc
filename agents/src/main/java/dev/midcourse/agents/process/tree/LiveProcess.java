package dev.midcourse.agents.process.tree;

/**
 * A living process of a tree.
 *
 * @param state as the system's process table has it, {@code D} being uninterruptible; {@code ?}
 *     where it is not known
 */
public record LiveProcess(long pid, String name, char state) {

  static LiveProcess of(ProcessEntry entry) {
    return new LiveProcess(entry.pid(), entry.name(), entry.state());
  }
}
