package dev.midcourse.proof.crash;

import java.util.List;
import java.util.Map;

/**
 * What a drill came to.
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
    Map<String, Long> ends,
    List<String> lost,
    List<String> doubled,
    List<String> outOfOrder,
    List<String> falseReceipts,
    List<String> processesLeft) {

  public boolean clean() {
    return lost.isEmpty()
        && doubled.isEmpty()
        && outOfOrder.isEmpty()
        && falseReceipts.isEmpty()
        && processesLeft.isEmpty();
  }

  @Override
  public String toString() {
    return """
    seed %d: %d kills (%d at fault points) and %d agents killed, %d steers stored, %d refused; ends %s
    lost %d, doubled %d, out of order %d, false receipts %d, processes left %d%s\
    """
        .formatted(
            extent.seed(),
            kills,
            faults.values().stream().mapToInt(Integer::intValue).sum(),
            agentsKilled,
            stored,
            refused,
            ends,
            lost.size(),
            doubled.size(),
            outOfOrder.size(),
            falseReceipts.size(),
            processesLeft.size(),
            clean() ? "" : "\n" + details());
  }

  private String details() {
    return String.join(
        "\n",
        List.of(
            "lost: " + lost,
            "doubled: " + doubled,
            "out of order: " + outOfOrder,
            "false receipts: " + falseReceipts,
            "processes left: " + processesLeft));
  }
}
