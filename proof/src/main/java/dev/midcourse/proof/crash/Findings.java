package dev.midcourse.proof.crash;

import dev.midcourse.proof.crash.check.CheckResult;
import dev.midcourse.proof.crash.hub.FaultPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The result of a drill.
 *
 * @param kills of hubs, or of the server that keeps their ledger
 * @param faults how many hubs ended at each fault point
 */
public record Findings(
    CrashDrill.Extent extent,
    int kills,
    int agentsKilled,
    Map<FaultPoint, Integer> faults,
    int stored,
    int refused,
    CheckResult verdict,
    List<String> processesLeft) {

  /** A drill must store at least this share of its steers, or it proves little. */
  private static final double MIN_STORED = 0.25;

  /**
   * The end UNKNOWN may have at most this share. It is correct only for steers that some agents
   * held when they were ended.
   */
  private static final double MAX_UNKNOWN = 0.2;

  public boolean clean() {
    return troubles().values().stream().allMatch(List::isEmpty);
  }

  private Map<String, List<String>> troubles() {
    Map<String, List<String>> troubles = verdict.troubles();
    troubles.put("processes left", processesLeft);
    troubles.put("out of proportion", disproportionate());
    return troubles;
  }

  private List<String> disproportionate() {
    List<String> found = new ArrayList<>();
    if (stored < (stored + refused) * MIN_STORED) {
      found.add("only " + stored + " stored, " + refused + " refused");
    }
    if (verdict.unknown() > Math.max(3, stored * MAX_UNKNOWN)) {
      found.add(verdict.unknown() + " unknown of " + stored);
    }
    return found;
  }

  @Override
  public String toString() {
    return """
    seed %d: %d kills (%d at fault points) and %d agents killed, %d steers stored, %d refused; ends %s, %d times written again
    %s%s\
    """
        .formatted(
            extent.seed(),
            kills,
            faults.values().stream().mapToInt(Integer::intValue).sum(),
            agentsKilled,
            stored,
            refused,
            verdict.ends(),
            verdict.writtenAgain(),
            CheckResult.counted(troubles()),
            clean() ? "" : "\n" + CheckResult.listed(troubles()));
  }
}
