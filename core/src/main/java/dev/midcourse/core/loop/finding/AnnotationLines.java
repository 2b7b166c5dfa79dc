package dev.midcourse.core.loop.finding;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the annotations that programs print for GitHub Actions, one a line: {@code ::error
 * file=src/App.java,line=3::the text}.
 */
public final class AnnotationLines {
  private static final int MAX_LINE = 20_000;
  private static final Map<String, Severity> COMMANDS =
      Map.of("error", Severity.MAJOR, "warning", Severity.MINOR, "notice", Severity.NIT);

  private AnnotationLines() {}

  /**
   * Returns the annotations of the lines.
   *
   * @param root the absolute path of the checkout in which the program ran; may be empty
   */
  public static ReportContent read(List<String> lines, String root) {
    List<ReportedFinding> findings = new ArrayList<>();
    for (String line : lines) {
      finding(line.strip(), root).ifPresent(findings::add);
    }
    return ReportContent.of(findings);
  }

  private static Optional<ReportedFinding> finding(String line, String root) {
    int end = line.length() > MAX_LINE || !line.startsWith("::") ? -1 : line.indexOf("::", 2);
    if (end < 0) {
      return Optional.empty();
    }
    String command = line.substring(2, end);
    int space = command.indexOf(' ');
    Optional<Severity> severity =
        Optional.ofNullable(COMMANDS.get(space < 0 ? command : command.substring(0, space)));
    String text = data(line.substring(end + 2)).strip();
    if (severity.isEmpty() || text.isEmpty()) {
      return Optional.empty();
    }
    Map<String, String> properties = properties(space < 0 ? "" : command.substring(space + 1));
    String first = text.lines().findFirst().orElse("");
    String title = properties.getOrDefault("title", "");
    return Optional.of(
        ReportedFinding.of(
            ReportPaths.relative(properties.getOrDefault("file", ""), root),
            number(properties.getOrDefault("line", "")),
            severity.get(),
            title.isEmpty() ? first : title + ": " + first,
            text));
  }

  private static Map<String, String> properties(String text) {
    Map<String, String> properties = new HashMap<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        String value = part.substring(equals + 1).replace("%3A", ":").replace("%2C", ",");
        properties.put(part.substring(0, equals).strip(), data(value));
      }
    }
    return properties;
  }

  /** The escapes of a workflow command; that of the percent sign comes last. */
  private static String data(String text) {
    return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%");
  }

  private static int number(String text) {
    return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
  }
}
