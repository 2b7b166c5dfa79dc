package dev.midcourse.autopilot.report;

import dev.midcourse.core.loop.finding.AnnotationLines;
import dev.midcourse.core.loop.finding.ReportContent;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.finding.Severity;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What the reports and the output of one run of CI say.
 *
 * @param content the findings of all reports together, bounded
 * @param problems the reports that could not be read, each with the reason
 */
public record CiReports(ReportContent content, List<String> problems) {
  private static final int MAX_PROBLEMS = 10;

  public CiReports {
    problems = List.copyOf(problems);
  }

  /**
   * Reads all reports that were written since, and the annotations among the lines of the output.
   * If there is an error, warnings do not hold the loop: they are not why CI is red.
   */
  public static CiReports read(Path checkout, Instant since, List<String> output) {
    CiReports files = read(checkout, ReportFinder.find(checkout, since));
    ReportContent all = files.content.and(AnnotationLines.read(output, checkout.toString()));
    return new CiReports(withoutHarmlessWarnings(all), files.problems);
  }

  /**
   * Reads only the files of the folder {@code midcourse-reports}. They count although the command
   * ended well.
   */
  public static CiReports readNamed(Path checkout, Instant since) {
    List<ReportFile> named =
        ReportFinder.find(checkout, since).stream().filter(ReportFile::isNamed).toList();
    return read(checkout, named);
  }

  private static CiReports read(Path checkout, List<ReportFile> files) {
    ReportContent content = ReportContent.NOTHING;
    List<String> problems = new ArrayList<>();
    for (ReportFile file : files) {
      try {
        content = content.and(file.read(checkout.toString()));
      } catch (UnreadableReportException e) {
        if (problems.size() < MAX_PROBLEMS) {
          problems.add("report " + checkout.relativize(file.path()) + ": " + e.getMessage());
        }
      }
    }
    return new CiReports(content, problems);
  }

  private static ReportContent withoutHarmlessWarnings(ReportContent all) {
    boolean hasError = all.findings().stream().anyMatch(CiReports::isError);
    if (!hasError) {
      return all;
    }
    List<ReportedFinding> rated =
        all.findings().stream()
            .map(it -> isError(it) ? it : it.withSeverity(Severity.NIT))
            .toList();
    return new ReportContent(rated, all.omitted());
  }

  private static boolean isError(ReportedFinding finding) {
    return finding.severity() == Severity.MAJOR || finding.severity() == Severity.BLOCKER;
  }

  /** Whether any finding keeps a loop from being clean. */
  public boolean holds() {
    return content.omitted() > 0
        || content.findings().stream().anyMatch(it -> it.severity().holds());
  }
}
