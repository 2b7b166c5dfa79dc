package dev.midcourse.agents.process.tree;

import dev.midcourse.agents.process.attempt.ProcessMarker;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides which processes of a table belong to a mark. A process belongs if one of these holds: it
 * carries the mark; it was a proved member before (same number, same start); it descends from a
 * proved member; or it is in a session that a proved member leads, which no outside process can
 * join.
 */
final class ProcessMembership {

  private final List<ProcessEntry> table;
  private final Map<Long, List<ProcessEntry>> byParent = new HashMap<>();
  private final Map<Long, List<ProcessEntry>> bySession = new HashMap<>();
  private final Set<Long> untouchable;

  /**
   * @param self this process, which never belongs, like init
   */
  ProcessMembership(List<ProcessEntry> table, long self) {
    this.table = table;
    this.untouchable = Set.of(0L, 1L, self);
    for (ProcessEntry entry : table) {
      byParent.computeIfAbsent(entry.parent(), p -> new ArrayList<>()).add(entry);
      bySession.computeIfAbsent(entry.session(), s -> new ArrayList<>()).add(entry);
    }
  }

  Collection<ProcessEntry> of(ProcessMarker mark, Set<ProcessId> proved) {
    Map<Long, ProcessEntry> kin = new LinkedHashMap<>();
    ArrayDeque<ProcessEntry> toFollow = new ArrayDeque<>();
    for (ProcessEntry entry : table) {
      if (entry.mark().filter(mark::equals).isPresent() || proved.contains(entry.id())) {
        add(entry, kin, toFollow);
      }
    }
    while (!toFollow.isEmpty()) {
      long pid = toFollow.remove().pid();
      byParent.getOrDefault(pid, List.of()).forEach(child -> add(child, kin, toFollow));
      bySession.getOrDefault(pid, List.of()).forEach(member -> add(member, kin, toFollow));
    }
    return kin.values();
  }

  private void add(
      ProcessEntry entry, Map<Long, ProcessEntry> kin, ArrayDeque<ProcessEntry> toFollow) {
    if (!untouchable.contains(entry.pid()) && kin.putIfAbsent(entry.pid(), entry) == null) {
      toFollow.add(entry);
    }
  }

  /**
   * Returns the process groups that consist of members only and are in sessions led by members, so
   * that no other process can join them.
   */
  Set<Long> ownGroups(Collection<ProcessEntry> kin) {
    Set<Long> numbers = new HashSet<>();
    kin.forEach(entry -> numbers.add(entry.pid()));
    Set<Long> groups = new HashSet<>();
    for (ProcessEntry entry : kin) {
      if (entry.group() > 1 && numbers.contains(entry.session())) {
        groups.add(entry.group());
      }
    }
    for (ProcessEntry entry : table) {
      if (!numbers.contains(entry.pid())) {
        groups.remove(entry.group());
      }
    }
    return groups;
  }
}
