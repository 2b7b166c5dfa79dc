package dev.midcourse.core.loop.step;

import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.loop.GuidanceScope;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.finding.FindingDecision;
import dev.midcourse.core.loop.finding.FindingId;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.SteerText;
import java.util.List;
import java.util.Optional;

/** What a person, or a lead, orders. */
public sealed interface LoopCommand extends LoopFact {
  Author author();

  /** Gives guidance to the calls of the scope. */
  record Guide(Author author, SteerId id, GuidanceScope scope, SteerText text)
      implements LoopCommand {}

  /** Takes guidance back that no further call is to get. */
  record WithdrawGuidance(Author author, SteerId id, String why) implements LoopCommand {}

  /**
   * Gives the task a new wording. A wait for review and CI goes on, unless a phase is named.
   *
   * @param from the phase in which the loop goes on
   */
  record Reword(Author author, String prompt, Optional<LoopPhase> from) implements LoopCommand {}

  /** Ends the wait for what is still missing in the round of checks. */
  record Skip(Author author) implements LoopCommand {}

  record Pause(Author author) implements LoopCommand {}

  /** Goes on after the loop was parked, with this much more budget. */
  record Go(Author author, int moreFixes, int moreReviews) implements LoopCommand {}

  record Stop(Author author) implements LoopCommand {}

  /**
   * Decides about a finding.
   *
   * @param notice the id of the guidance that tells a running fix about it
   */
  record Decide(
      Author author, SteerId notice, FindingId finding, FindingDecision decision, String why)
      implements LoopCommand {}

  /**
   * The review of a person.
   *
   * @param head the commit that the person looked at, or its beginning
   * @param findings empty if the person finds the commit clean
   */
  record Review(Author author, String head, List<ReportedFinding> findings) implements LoopCommand {
    public Review {
      findings = List.copyOf(findings);
    }
  }

  /** Merges the branch into its base when it is clean, or now if it is clean already. */
  record Land(Author author) implements LoopCommand {}
}
