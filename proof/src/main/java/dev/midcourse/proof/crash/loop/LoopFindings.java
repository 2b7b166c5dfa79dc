package dev.midcourse.proof.crash.loop;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The result of a drill.
 *
 * @param faults how many hubs ended at each fault point
 * @param guidance how many steers were stored
 * @param troubles what was lost, doubled, untested or falsely called clean; empty if nothing was
 */
public record LoopFindings(
    long seed,
    int kills,
    Map<LoopFaultPoint, Integer> faults,
    int loops,
    int guidance,
    int landings,
    List<String> troubles,
    List<String> processesLeft) {

  public boolean clean() {
    return troubles.isEmpty() && processesLeft.isEmpty();
  }

  @Override
  public String toString() {
    return "seed %d: %d kills (%d at fault points), %d loops, %d steers, base moved %d times%s%s"
        .formatted(
            seed,
            kills,
            faults.values().stream().mapToInt(Integer::intValue).sum(),
            loops,
            guidance,
            landings,
            processesLeft.isEmpty() ? "" : "\nprocesses left: " + processesLeft,
            troubles.stream().map(it -> "\n" + it).collect(Collectors.joining()));
  }
}
