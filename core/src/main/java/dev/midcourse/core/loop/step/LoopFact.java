package dev.midcourse.core.loop.step;

import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.loop.CiVerdict;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.finding.ReviewReport;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeActResult;
import dev.midcourse.core.loop.forge.ForgeError;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Something that happened, and to which a loop reacts. */
public sealed interface LoopFact permits LoopFact.Happened, LoopCommand {

  /** A fact that no person ordered. */
  sealed interface Happened extends LoopFact {}

  /** Branch and checkout are there. */
  record Prepared(String base, CommitState at) implements Happened {}

  record NotPrepared(String why) implements Happened {}

  /**
   * A run that changes the code has ended.
   *
   * @param state the branch afterwards
   * @param notOffered the steers of guidance that its agent never got
   */
  record WorkEnded(int call, CallEnd end, CommitState state, Usage used, Set<SteerId> notOffered)
      implements Happened {
    public WorkEnded {
      notOffered = Set.copyOf(notOffered);
    }
  }

  /**
   * A review by an agent has ended.
   *
   * @param report what it says; empty if the agent did not come to its end
   * @param tip the newest commit of the branch afterwards
   * @param notOffered the steers of guidance that its agent never got
   */
  record ReviewEnded(
      int call,
      CallEnd end,
      Optional<ReviewReport> report,
      String tip,
      Usage used,
      Set<SteerId> notOffered)
      implements Happened {
    public ReviewEnded {
      notOffered = Set.copyOf(notOffered);
    }
  }

  /** CI has ended. A red verdict has at least one finding. */
  record CiEnded(int call, CiVerdict verdict, List<ReportedFinding> findings) implements Happened {
    public CiEnded {
      findings = List.copyOf(findings);
    }
  }

  /** The branch, or the checkout of a call, could not be read or made. */
  record CallImpossible(int call, String why) implements Happened {}

  /** A time that {@link Loop#nextDue} named may have passed. */
  record TimePassed() implements Happened {}

  /** The base has the work of the loop. */
  record Landed(String commit) implements Happened {}

  /** The base had moved, and the branch has a merge commit with it now. */
  record BaseMerged(CommitState at) implements Happened {}

  /**
   * The base could not take the work.
   *
   * @param findings what the fixer can do about it, such as a conflict; without any, a person is
   *     asked
   */
  record NotLanded(String why, List<ReportedFinding> findings) implements Happened {
    public NotLanded {
      findings = List.copyOf(findings);
    }
  }

  /**
   * The run of a call that a person cut short has ended.
   *
   * @param notOffered the steers of guidance that its agent never got
   */
  record NotOffered(int call, Set<SteerId> notOffered) implements Happened {
    public NotOffered {
      notOffered = Set.copyOf(notOffered);
    }
  }

  /** The forge has accepted the credentials; an adopted change was found. */
  record SignedIn(String login, Optional<ChangeRef> adopted) implements Happened {}

  /** The branch at the forge has this commit. */
  record Pushed(String head) implements Happened {}

  /** The branch at the forge did not take the commit. */
  record NotPushed(Reason reason, String why) implements Happened {
    /** What kept the push from being done. */
    public enum Reason {
      /** The branch has commits there that the loop does not know. */
      FOREIGN,
      AUTH,
      REFUSED
    }
  }

  /**
   * The change as the forge shows it.
   *
   * @param begun when the look began; what happened later may be missing
   */
  record ForgeRead(ChangeSnapshot snapshot, Instant begun) implements Happened {}

  /** The forge could not be asked. */
  record ForgeFailed(ForgeError error) implements Happened {}

  /** What became of an act at the forge. */
  record ForgeWrote(String key, ForgeAct act, ForgeActResult result) implements Happened {}

  /**
   * The commits of somebody else were taken over from the forge.
   *
   * @param remote the commit that the branch has there
   */
  record RemoteTaken(CommitState at, String remote) implements Happened {}

  /** The branch of the loop has everything that the base has. */
  record BaseUnchanged() implements Happened {}

  /** The loop on whose branch this one is based has landed on this branch. */
  record ParentLanded(String base) implements Happened {}

  /** A run had ended before guidance could be given to it. */
  record NotGiven(SteerId guidance, int call) implements Happened {}
}
