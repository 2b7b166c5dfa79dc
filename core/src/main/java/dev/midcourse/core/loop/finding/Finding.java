package dev.midcourse.core.loop.finding;

import java.util.Optional;

/**
 * One remark about the work of a loop, and what became of it.
 *
 * @param source the name of its reviewer, or {@code ci}
 * @param reason the reason that came with the newest state; may be empty
 * @param firstRound the round in which it was found
 * @param lastRound the newest round in which it was reported
 * @param reopened how often it was reported again after the fixer called it fixed
 * @param upheld how often a reviewer or a person upheld it after a dispute
 */
public record Finding(
    FindingId id,
    String source,
    Optional<String> path,
    int line,
    String anchor,
    Severity severity,
    String title,
    String body,
    String suggestion,
    FindingState state,
    String reason,
    int firstRound,
    int lastRound,
    int reopened,
    int upheld) {
  /** The source of findings that CI reports. */
  public static final String CI = "ci";

  /** The source of findings that the checks of a forge report. */
  public static final String CHECKS = "checks";

  /** The source of findings that come from a merge that failed. */
  public static final String MERGE = "merge";

  /** The source of findings that Midcourse makes by itself. */
  public static final String GUARD = "midcourse";

  static Finding reported(FindingId id, String source, ReportedFinding report, int round) {
    return new Finding(
        id,
        source,
        report.path(),
        report.line(),
        report.anchor(),
        report.severity(),
        report.title(),
        report.body(),
        report.suggestion(),
        FindingState.OPEN,
        "",
        round,
        round,
        0,
        0);
  }

  /** The same remark, reported again in a later round. */
  Finding reportedAgain(ReportedFinding report, int round) {
    return new Finding(
        id,
        source,
        report.path(),
        report.line(),
        report.anchor(),
        report.severity(),
        report.title(),
        report.body(),
        report.suggestion(),
        FindingState.OPEN,
        state == FindingState.OPEN ? reason : "",
        firstRound,
        round,
        state == FindingState.FIXED || state == FindingState.CONFIRMED ? reopened + 1 : reopened,
        state == FindingState.DISPUTED || state == FindingState.DEFERRED ? upheld + 1 : upheld);
  }

  Finding with(FindingState newState, String why) {
    return copy(severity, newState, why, upheld);
  }

  Finding withSeverity(Severity other, String why) {
    return copy(other, state, why, upheld);
  }

  Finding upheldBecause(String why) {
    return copy(severity, FindingState.OPEN, why, upheld + 1);
  }

  private Finding copy(Severity itsSeverity, FindingState itsState, String why, int itsUpheld) {
    return new Finding(
        id,
        source,
        path,
        line,
        anchor,
        itsSeverity,
        title,
        body,
        suggestion,
        itsState,
        why,
        firstRound,
        lastRound,
        reopened,
        itsUpheld);
  }

  public boolean isFromCi() {
    return source.equals(CI) || source.equals(CHECKS);
  }

  /**
   * Whether the loop cannot be clean because of it. The next look at a merge is the merge itself,
   * so a fixed one does not hold the loop from trying.
   */
  public boolean holds() {
    boolean triedNext = source.equals(MERGE) && state == FindingState.FIXED;
    return severity.holds() && !state.isSettled() && !triedNext;
  }

  /** The place as a person reads it: {@code src/App.java:12}; empty if it has none. */
  public String place() {
    return path.map(file -> line == 0 ? file : file + ":" + line).orElse("");
  }

  boolean matches(ReportedFinding report) {
    return path.equals(report.path())
        && title.equalsIgnoreCase(report.title())
        && anchor.equals(report.anchor());
  }
}
