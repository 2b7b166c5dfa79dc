package dev.midcourse.autopilot;

import dev.midcourse.core.WireNames;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.loop.CiVerdict;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.finding.Severity;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.ledger.LedgerReader;
import dev.midcourse.ledger.Log;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What the run of a CI command says about its commit. The exit status decides: 0 is green, any
 * other is red. A command that was not found or did not come to its end says nothing.
 */
record CiResult(CiVerdict verdict, List<ReportedFinding> findings) {
  private static final Pattern STATUS = Pattern.compile("exit status (\\d+)");
  private static final int NOT_EXECUTABLE = 126;
  private static final int NOT_FOUND = 127;
  private static final int KILLED = 128;
  private static final int TAIL_LINES = 60;

  static CiResult of(Run run, String head, LedgerReader reading, Log log, Path checkout) {
    return switch (run.state()) {
      case DONE -> new CiResult(new CiVerdict.Green(head), List.of());
      case FAILED -> failed(run, head, reading, log, checkout);
      case STOPPED -> unavailable(head, "its run was stopped");
      case FAILED_TIMEOUT, FAILED_CONTRACT, REVIEW_REQUESTED, QUEUED, RUNNING ->
          unavailable(head, run.result().orElse("its run is " + run.state().wire()));
    };
  }

  private static CiResult unavailable(String head, String why) {
    return new CiResult(new CiVerdict.Unavailable(head, WireNames.cut(why, 300)), List.of());
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
    List<ReportedFinding> tests = JUnitReports.failures(checkout);
    List<ReportedFinding> findings =
        tests.isEmpty() ? List.of(wholeOutput(run, log, fromStatus(result))) : tests;
    String summary =
        tests.isEmpty()
            ? "exit status " + code
            : tests.size() + " failed tests, exit status " + code;
    return new CiResult(new CiVerdict.Red(head, summary), findings);
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

  private static ReportedFinding wholeOutput(Run run, Log log, String result) {
    List<String> said =
        log.last(Log.Filter.of(run.id(), RunEvent.Said.class), TAIL_LINES).entries().stream()
            .map(Log.LogEntry::event)
            .filter(RunEvent.Said.class::isInstance)
            .map(event -> ((RunEvent.Said) event).text())
            .toList();
    String tail = said.stream().collect(Collectors.joining("\n"));
    return ReportedFinding.of(Optional.empty(), 0, Severity.MAJOR, "CI failed: " + result, tail);
  }
}
