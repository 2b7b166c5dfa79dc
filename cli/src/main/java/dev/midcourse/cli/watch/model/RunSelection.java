package dev.midcourse.cli.watch.model;

import dev.midcourse.cli.client.RunInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Which runs the view holds of however many there are: those that need somebody, then the newest.
 * It counts the others and keeps nothing of them.
 */
public final class RunSelection {
  private final Map<String, RunInfo> needing = new LinkedHashMap<>();
  private final Map<String, RunInfo> others = new LinkedHashMap<>();
  private long notOver;

  /** Takes a page of runs that are not over, the newest first; every one of them is counted. */
  public void addNotOver(List<RunInfo> page) {
    notOver += page.size();
    add(page);
  }

  /** Takes a page of runs, the newest first. */
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

  /** How many that are not over are not on it. */
  public long more() {
    return Math.max(0, notOver - runs().stream().filter(run -> !Model.isOver(run)).count());
  }
}
