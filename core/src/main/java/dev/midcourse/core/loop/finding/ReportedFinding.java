package dev.midcourse.core.loop.finding;

import dev.midcourse.core.WireNames;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * A remark as a reviewer or CI reported it, before it is matched with the known findings.
 *
 * @param known the id of a known finding that the reviewer repeats
 * @param path the file in the repository; empty for a remark about the whole
 * @param line the line in that file; 0 for none
 * @param anchor a digest of the lines around it, which stays the same when they move; blank for
 *     none
 * @param suggestion a proposed text; may be empty
 */
public record ReportedFinding(
    Optional<FindingId> known,
    Optional<String> path,
    int line,
    String anchor,
    Severity severity,
    String title,
    String body,
    String suggestion) {
  static final int MAX_TITLE = 200;
  public static final int MAX_BODY = 4_000;
  private static final int MAX_PATH = 1_000;

  public ReportedFinding {
    path = path.map(String::strip).filter(it -> !it.isEmpty() && isInside(it));
    line = path.isEmpty() || line < 0 ? 0 : line;
    title = WireNames.cut(title.strip().isEmpty() ? "(no title)" : oneLine(title), MAX_TITLE);
    body = WireNames.cut(body.strip(), MAX_BODY);
    suggestion = WireNames.cut(suggestion, MAX_BODY);
  }

  /** A remark that stands alone. */
  public static ReportedFinding of(
      Optional<String> path, int line, Severity severity, String title, String body) {
    return new ReportedFinding(Optional.empty(), path, line, "", severity, title, body, "");
  }

  public ReportedFinding withSeverity(Severity other) {
    return new ReportedFinding(known, path, line, anchor, other, title, body, suggestion);
  }

  public ReportedFinding withAnchor(String text) {
    return new ReportedFinding(known, path, line, text, severity, title, body, suggestion);
  }

  /** A path that leaves the repository is treated as no path: nothing is ever read there. */
  private static boolean isInside(String path) {
    return path.length() <= MAX_PATH
        && !path.startsWith("/")
        && path.indexOf('\0') < 0
        && !Arrays.asList(path.split("/", -1)).contains("..");
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }

  /** The identity of the remark over rounds: the file, the title and the text around it. */
  String fingerprint() {
    return path.orElse("") + "\n" + title.toLowerCase(Locale.ROOT) + "\n" + anchor;
  }
}
