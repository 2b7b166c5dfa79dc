package dev.midcourse.autopilot;

import dev.midcourse.autopilot.report.CiReports;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.loop.CiVerdict;
import dev.midcourse.core.loop.finding.ReportContent;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.finding.Severity;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.ledger.LedgerReader;
import dev.midcourse.ledger.Log;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the run of a CI command says about its commit. The exit status decides: 0 is green, any
 * other is red; a finding in a report that the command put into the folder of reports makes it red,
 * too. A command that was not found or did not come to its end, or that left a broken report in
 * that folder, says nothing.
 */
record CiResult(CiVerdict verdict, List<ReportedFinding> findings) {
  private static final Pattern STATUS = Pattern.compile("exit status (\\d+)");
  private static final int NOT_EXECUTABLE = 126;
  private static final int NOT_FOUND = 127;
  private static final int KILLED = 128;
  private static final int TAIL_LINES = 60;

  /** How much of the output is searched for annotations. */
  private static final int MAX_OUTPUT_EVENTS = 20_000;

  private static final int PAGE = 1_000;

  /**
   * Reads the result of a run that has ended.
   *
   * @param head the commit that was tested
   * @param checkout the folder in which the command ran
   */
  static CiResult of(Run run, String head, LedgerReader reading, Log log, Path checkout) {
    return switch (run.state()) {
      case DONE -> ended(run, head, checkout);
      case FAILED -> failed(run, head, reading, log, checkout);
      case STOPPED -> unavailable(head, "its run was stopped");
      case FAILED_TIMEOUT, FAILED_CONTRACT, REVIEW_REQUESTED, QUEUED, RUNNING ->
          unavailable(head, run.result().orElse("its run is " + run.state().wire()));
    };
  }

  private static CiResult unavailable(String head, String why) {
    return new CiResult(new CiVerdict.Unavailable(head, WireNames.cut(why, 300)), List.of());
  }

  private static CiResult ended(Run run, String head, Path checkout) {
    CiReports reports = CiReports.readNamed(checkout, began(run));
    if (reports.holds()) {
      return red(head, "exit status 0, but its reports have", reports.content());
    }
    return reports.problems().isEmpty()
        ? new CiResult(new CiVerdict.Green(head), List.of())
        : unavailable(head, String.join("; ", reports.problems()));
  }

  private static CiResult red(String head, String before, ReportContent content) {
    int count = content.findings().size() + content.omitted();
    String summary =
        before
            + " "
            + (count == 1 ? "1 finding" : count + " findings")
            + (content.omitted() == 0 ? "" : " (" + content.omitted() + " not read)");
    return new CiResult(new CiVerdict.Red(head, summary), content.findings());
  }

  /** Reports are of this run if they were written after it was queued; its checkout is older. */
  private static Instant began(Run run) {
    return run.createdAt();
  }

  private static CiResult failed(
      Run run, String head, LedgerReader reading, Log log, Path checkout) {
    String result = run.result().orElse("");
    Optional<Integer> status = status(run, reading, result);
    if (status.isEmpty()) {
      return unavailable(head, result.isBlank() ? "its run failed" : result);
    }
    int code = status.get();
    if (code == NOT_EXECUTABLE || code == NOT_FOUND) {
      return unavailable(head, "the command cannot be started: " + fromStatus(result));
    }
    if (code > KILLED) {
      return unavailable(head, "the command was ended by signal " + (code - KILLED));
    }
    CiReports reports = CiReports.read(checkout, began(run), output(run, log));
    if (reports.holds()) {
      return red(head, "exit status " + code + ",", reports.content());
    }
    List<ReportedFinding> findings = new ArrayList<>();
    findings.add(wholeOutput(run, log, fromStatus(result), reports.problems()));
    findings.addAll(reports.content().findings());
    return new CiResult(new CiVerdict.Red(head, "exit status " + code), findings);
  }

  /** The exit status, if the program came to its end. */
  private static Optional<Integer> status(Run run, LedgerReader reading, String result) {
    boolean ended =
        reading.turns(run.id()).stream()
            .reduce((_, last) -> last)
            .flatMap(TurnRecord::how)
            .filter(how -> how == TurnEnd.ERROR)
            .isPresent();
    Matcher status = STATUS.matcher(result);
    return ended && status.find()
        ? Optional.of(Integer.parseInt(status.group(1)))
        : Optional.empty();
  }

  /** The status and the last line of the output, without the words before them. */
  private static String fromStatus(String result) {
    int at = result.indexOf("exit status ");
    return at < 0 ? result : result.substring(at);
  }

  private static ReportedFinding wholeOutput(
      Run run, Log log, String result, List<String> problems) {
    List<String> tail =
        said(log.last(Log.Filter.of(run.id(), RunEvent.Said.class), TAIL_LINES).entries());
    String text = String.join("\n", problems) + "\n" + String.join("\n", tail);
    return ReportedFinding.of(
        Optional.empty(), 0, Severity.MAJOR, "CI failed: " + result, text.strip());
  }

  /** The lines of the output that may be annotations, bounded. */
  private static List<String> output(Run run, Log log) {
    Log.Filter filter = Log.Filter.of(run.id(), RunEvent.Said.class);
    List<String> lines = new ArrayList<>();
    long cursor = 0;
    for (int read = 0; read < MAX_OUTPUT_EVENTS; read += PAGE) {
      Log.Page page = log.after(cursor, filter, PAGE);
      for (String text : said(page.entries())) {
        text.lines().filter(line -> line.stripLeading().startsWith("::")).forEach(lines::add);
      }
      if (page.entries().size() < PAGE) {
        break;
      }
      cursor = page.next();
    }
    return lines;
  }

  private static List<String> said(List<Log.LogEntry> entries) {
    return entries.stream()
        .map(Log.LogEntry::event)
        .filter(RunEvent.Said.class::isInstance)
        .map(event -> ((RunEvent.Said) event).text())
        .toList();
  }
}
