package dev.midcourse.core.loop.finding;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Findings as a person types them, one a line: {@code src/App.java:12: minor: the text}. The place
 * and the severity may be left out.
 */
public final class FindingLines {
  private static final Pattern PLACE =
      Pattern.compile("([^\\s:]*[./][^\\s:]*|[^\\s:]+(?=:\\d))(?::(\\d{1,7}))?:\\s+(.+)");
  private static final Pattern SEVERITY =
      Pattern.compile("(blocker|major|minor|nit):\\s+(.+)", Pattern.CASE_INSENSITIVE);

  private FindingLines() {}

  public static List<ReportedFinding> read(String text) {
    List<ReportedFinding> findings = new ArrayList<>();
    text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .forEach(line -> {
          findings.add(finding(line));
        });
    return List.copyOf(findings);
  }

  private static ReportedFinding finding(String line) {
    Matcher placed = PLACE.matcher(line);
    boolean hasPlace = placed.matches();
    String rest = hasPlace ? placed.group(3) : line;
    Matcher rated = SEVERITY.matcher(rest);
    boolean hasSeverity = rated.matches();
    return ReportedFinding.of(
        hasPlace ? Optional.of(placed.group(1)) : Optional.empty(),
        hasPlace && placed.group(2) != null ? Integer.parseInt(placed.group(2)) : 0,
        hasSeverity ? Severity.ofReport(rated.group(1)) : Severity.MAJOR,
        hasSeverity ? rated.group(2) : rest,
        "");
  }
}
