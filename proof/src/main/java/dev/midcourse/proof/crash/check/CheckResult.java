package dev.midcourse.proof.crash.check;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The result of the checker.
 *
 * @param ends how many steers ended how
 * @param writtenAgain how often something was written to an agent that had it
 * @param strays what an agent or the ledger had and nobody had sent
 */
public record CheckResult(
    Map<String, Long> ends,
    int writtenAgain,
    List<String> lost,
    List<String> doubled,
    List<String> outOfOrder,
    List<String> falseReceipts,
    List<String> strays) {

  public boolean clean() {
    return troubles().values().stream().allMatch(List::isEmpty);
  }

  public long unknown() {
    return ends.getOrDefault("unknown", 0L);
  }

  public Map<String, List<String>> troubles() {
    Map<String, List<String>> troubles = new LinkedHashMap<>();
    troubles.put("lost", lost);
    troubles.put("doubled", doubled);
    troubles.put("out of order", outOfOrder);
    troubles.put("false receipts", falseReceipts);
    troubles.put("strays", strays);
    return troubles;
  }

  public static String counted(Map<String, List<String>> troubles) {
    return troubles.entrySet().stream()
        .map(trouble -> trouble.getKey() + " " + trouble.getValue().size())
        .collect(Collectors.joining(", "));
  }

  public static String listed(Map<String, List<String>> troubles) {
    return troubles.entrySet().stream()
        .filter(trouble -> !trouble.getValue().isEmpty())
        .map(trouble -> trouble.getKey() + ": " + trouble.getValue())
        .collect(Collectors.joining("\n"));
  }
}
