package dev.midcourse.core.run;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Who works in a checkout: one run at a time. Work that waits there for its review is left alone by
 * everybody but the run that goes on with it, which is its rework.
 */
public final class CheckoutOccupancy {
  /** Who is in one of these has the checkout. */
  public static final Set<RunState> HOLDING =
      Set.of(RunState.QUEUED, RunState.RUNNING, RunState.REVIEW_REQUESTED);

  private CheckoutOccupancy() {}

  /** Whether a run may work in a checkout. */
  public sealed interface Verdict {
    /** It may, and goes on with the work of these, whose review it is. */
    record Free(List<Run> reworked) implements Verdict {
      public Free {
        reworked = List.copyOf(reworked);
      }
    }

    record Taken(Run by) implements Verdict {}
  }

  /**
   * Whether this run may work where those are.
   *
   * @param session the conversation it goes on with
   * @param parent the run it follows
   */
  public static Verdict of(
      RunId asking, Optional<SessionId> session, Optional<RunId> parent, List<Run> there) {
    List<Run> others =
        there.stream()
            .filter(run -> HOLDING.contains(run.state()) && !run.id().equals(asking))
            .toList();
    return others.stream()
        .filter(run -> run.state().live() || !follows(run, session, parent))
        .findFirst()
        .<Verdict>map(Verdict.Taken::new)
        .orElseGet(() -> new Verdict.Free(others));
  }

  private static boolean follows(Run run, Optional<SessionId> session, Optional<RunId> parent) {
    return parent.equals(Optional.of(run.id()))
        || (session.isPresent() && session.equals(run.session()));
  }
}
