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
 * Which processes of a table belong to a mark. Every one has a proof: it carries the mark, it was
 * proved before (same number, same start), it descends from one that is proved, or it is in a
 * session led by one that is proved, which nobody can join from outside.
 */
final class ProcessMembership {

  private final List<ProcessEntry> table;
  private final Map<Long, List<ProcessEntry>> byParent = new HashMap<>();
  private final Map<Long, List<ProcessEntry>> bySession = new HashMap<>();
  private final Set<Long> untouchable;

  /**
   * @param self our own process, which never belongs, like init
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
   * Process groups that consist of kin only, in sessions led by kin, so that none can join them.
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
