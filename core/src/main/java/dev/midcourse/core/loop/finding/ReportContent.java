package dev.midcourse.core.loop.finding;

import java.util.List;
import java.util.stream.Stream;

/**
 * The findings of a report.
 *
 * @param findings at most {@link #MAX_FINDINGS}
 * @param omitted how many more the report has
 */
public record ReportContent(List<ReportedFinding> findings, int omitted) {
  /** The number of findings of one round that are read; more are only counted. */
  public static final int MAX_FINDINGS = 50;

  public static final ReportContent NOTHING = new ReportContent(List.of(), 0);

  public ReportContent {
    findings = List.copyOf(findings);
  }

  /** The first findings of these, and the number of the others. */
  public static ReportContent of(List<ReportedFinding> all) {
    int read = Math.min(all.size(), MAX_FINDINGS);
    return new ReportContent(all.subList(0, read), all.size() - read);
  }

  /** The findings of both, each once. */
  public ReportContent and(ReportContent other) {
    List<ReportedFinding> all =
        Stream.concat(findings.stream(), other.findings.stream()).distinct().toList();
    ReportContent both = of(all);
    return new ReportContent(both.findings, both.omitted + omitted + other.omitted);
  }

  public boolean isEmpty() {
    return findings.isEmpty() && omitted == 0;
  }
}
