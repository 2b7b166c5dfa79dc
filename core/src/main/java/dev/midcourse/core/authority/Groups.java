package dev.midcourse.core.authority;

import dev.midcourse.core.id.GroupName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All known groups. No other group exists, and a name alone gives no right. */
public record Groups(Map<GroupName, Group> byName) {
  private static final Group MAIN = new Group(GroupName.of("main"), Role.MAIN, List.of());

  public Groups {
    byName = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(byName));
  }

  /** Returns these groups and main. */
  public static Groups of(List<Group> groups) {
    Map<GroupName, Group> byName = new LinkedHashMap<>();
    byName.put(MAIN.name(), MAIN);
    groups.forEach(group -> byName.putIfAbsent(group.name(), group));
    return new Groups(byName);
  }

  public Optional<Group> named(GroupName name) {
    return Optional.ofNullable(byName.get(name));
  }
}
