package dev.midcourse.autopilot;

import dev.midcourse.agents.git.WorkBranch;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopCall;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.finding.ReviewReport;
import dev.midcourse.core.loop.step.CallEnd;
import dev.midcourse.core.loop.step.LoopFact;
import dev.midcourse.core.run.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads what came of the runs of calls. */
final class CallEnds {
  private final LoopParts parts;

  CallEnds(LoopParts parts) {
    this.parts = parts;
  }

  private static LoopFolders folders(LoopParts parts, Loop loop) {
    return new LoopFolders(parts.folder(), loop);
  }

  LoopFact of(Loop loop, LoopCall call, Run run) {
    return switch (call.kind()) {
      case IMPLEMENT, FIX, REPAIR -> workEnded(loop, call, run);
      case REVIEW -> reviewEnded(loop, call, run);
      case CI -> ciEnded(loop, call, run);
    };
  }

  private LoopFact workEnded(Loop loop, LoopCall call, Run run) {
    var state =
        folders(parts, loop).branch().read(loop.base().orElseThrow(), loop.head().orElseThrow());
    return parts
        .ledger()
        .read(reading ->
            new LoopFact.WorkEnded(
                call.number(),
                LoopRuns.end(run, reading),
                state,
                run.spent(),
                LoopRuns.notOffered(loop, call, reading)));
  }

  private LoopFact reviewEnded(Loop loop, LoopCall call, Run run) {
    WorkBranch branch = folders(parts, loop).branch();
    String tip = branch.tip();
    String head = call.head().orElseThrow();
    return parts
        .ledger()
        .read(reading -> {
          CallEnd end = LoopRuns.end(run, reading);
          Optional<ReviewReport> report =
              end instanceof CallEnd.Answered(String text)
                  ? Optional.of(anchored(report(loop, call, text), branch, head))
                  : Optional.empty();
          return new LoopFact.ReviewEnded(
              call.number(),
              end,
              report,
              tip,
              run.spent(),
              LoopRuns.notOffered(loop, call, reading));
        });
  }

  /** The report with the anchors of its lines, by which findings are known again. */
  private static ReviewReport anchored(ReviewReport report, WorkBranch branch, String head) {
    return switch (report) {
      case ReviewReport.WithFindings(List<ReportedFinding> findings, int omitted) -> {
        List<ReportedFinding> anchored = new ArrayList<>();
        for (ReportedFinding finding : findings) {
          anchored.add(anchored(finding, branch, head));
        }
        yield new ReviewReport.WithFindings(anchored, omitted);
      }
      case ReviewReport.NoFindings none -> none;
      case ReviewReport.Unreadable unreadable -> unreadable;
    };
  }

  private ReviewReport report(Loop loop, LoopCall call, String text) {
    return ReviewReport.read(
        text, call.head().orElseThrow(), folders(parts, loop).of(call).toString());
  }

  /** A finding that its tool knows again by itself keeps the anchor of the tool. */
  private static ReportedFinding anchored(ReportedFinding finding, WorkBranch branch, String head) {
    return finding
        .path()
        .filter(_ -> finding.anchor().isEmpty())
        .map(path -> finding.withAnchor(branch.anchor(head, path, finding.line())))
        .orElse(finding);
  }

  private LoopFact ciEnded(Loop loop, LoopCall call, Run run) {
    CiResult result =
        parts
            .ledger()
            .read(reading ->
                CiResult.of(
                    run,
                    call.head().orElseThrow(),
                    reading,
                    parts.ledger().log(),
                    folders(parts, loop).of(call)));
    WorkBranch branch = folders(parts, loop).branch();
    String head = call.head().orElseThrow();
    List<ReportedFinding> findings =
        result.findings().stream().map(it -> anchored(it, branch, head)).toList();
    return new LoopFact.CiEnded(call.number(), result.verdict(), findings);
  }
}
