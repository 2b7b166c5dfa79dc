package dev.midcourse.autopilot;

import dev.midcourse.agents.git.WorkBranch;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.finding.Finding;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.finding.Severity;
import dev.midcourse.core.loop.step.LoopFact;
import java.util.List;
import java.util.Optional;

/** Merges the clean branch of a loop into its base, in the clone. */
final class LocalLanding {
  private final LoopParts parts;

  LocalLanding(LoopParts parts) {
    this.parts = parts;
  }

  LoopFact merge(Loop loop, String head) throws InterruptedException {
    try {
      WorkBranch branch = new LoopFolders(parts.folder(), loop).branch();
      return switch (GitRetry.retrying(() -> branch.land(head))) {
        case WorkBranch.LandResult.Landed(String commit) -> new LoopFact.Landed(commit);
        case WorkBranch.LandResult.BaseMerged _ ->
            new LoopFact.BaseMerged(branch.read(loop.base().orElseThrow(), head));
        case WorkBranch.LandResult.Conflict(List<String> files) ->
            new LoopFact.NotLanded(
                "it conflicts with " + loop.spec().base(), List.of(conflict(loop, files)));
        case WorkBranch.LandResult.Refused(String why) -> new LoopFact.NotLanded(why, List.of());
      };
    } catch (RefusedException refused) {
      return new LoopFact.NotLanded(refused.problem().message(), List.of());
    }
  }

  private static ReportedFinding conflict(Loop loop, List<String> files) {
    return ReportedFinding.of(
        Optional.empty(),
        0,
        Severity.MAJOR,
        "Branch " + loop.spec().base() + " has moved and conflicts with yours",
        "Run: git merge "
            + loop.spec().base()
            + "\nResolve the conflicts and commit the merge. They are in: "
            + String.join(", ", files)
            + "\n(source: "
            + Finding.MERGE
            + ")");
  }
}
