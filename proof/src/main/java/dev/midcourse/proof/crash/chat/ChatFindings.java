package dev.midcourse.proof.crash.chat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The result of a drill.
 *
 * @param faults how many hubs ended at each fault point
 * @param messages how many messages people wrote
 */
public record ChatFindings(
    long seed,
    int kills,
    Map<ChatFaultPoint, Integer> faults,
    int messages,
    ChatCheckResult result,
    List<String> processesLeft) {

  public boolean clean() {
    return result.troubles().isEmpty() && processesLeft.isEmpty();
  }

  @Override
  public String toString() {
    return "seed %d: %d kills (%d at fault points), %d messages, %d runs, %d steers, outbox %s%s%s"
        .formatted(
            seed,
            kills,
            faults.values().stream().mapToInt(Integer::intValue).sum(),
            messages,
            result.runs(),
            result.steers(),
            result.outbox(),
            processesLeft.isEmpty() ? "" : "\nprocesses left: " + processesLeft,
            result.troubles().stream().map(it -> "\n" + it).collect(Collectors.joining()));
  }
}
