package dev.midcourse.cli.watch.model;

import dev.midcourse.cli.client.RunInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Selects the runs that the view holds: those with a need first, then the newest. The other runs
 * are only counted.
 */
public final class RunSelection {
  private final Map<String, RunInfo> needing = new LinkedHashMap<>();
  private final Map<String, RunInfo> others = new LinkedHashMap<>();
  private long notOver;

  /** Adds a page of runs that are not over, the newest first, and counts all of them. */
  public void addNotOver(List<RunInfo> page) {
    notOver += page.size();
    add(page);
  }

  /** Adds a page of runs, the newest first. */
  public void add(List<RunInfo> page) {
    for (RunInfo run : page) {
      Map<String, RunInfo> kind = run.text("needs").isPresent() ? needing : others;
      if (kind.size() < Model.MAX_RUNS) {
        kind.put(run.id(), run);
      }
    }
  }

  public List<RunInfo> runs() {
    return Stream.concat(needing.values().stream(), others.values().stream())
        .limit(Model.MAX_RUNS)
        .toList();
  }

  /** Returns how many runs that are not over were left out. */
  public long more() {
    return Math.max(0, notOver - runs().stream().filter(run -> !Model.isOver(run)).count());
  }
}
