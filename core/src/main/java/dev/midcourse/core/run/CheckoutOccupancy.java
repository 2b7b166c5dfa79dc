package dev.midcourse.core.run;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The rule that one run at a time works in a checkout. While work waits there for its review, only
 * the run that reworks it may enter.
 */
public final class CheckoutOccupancy {
  /** The states in which a run occupies its checkout. */
  public static final Set<RunState> HOLDING =
      Set.of(RunState.QUEUED, RunState.RUNNING, RunState.REVIEW_REQUESTED);

  private CheckoutOccupancy() {}

  /** Whether a run may work in a checkout. */
  public sealed interface Occupancy {
    /** The run may enter. It reworks these runs, which waited for review. */
    record Free(List<Run> reworked) implements Occupancy {
      public Free {
        reworked = List.copyOf(reworked);
      }
    }

    record Taken(Run by) implements Occupancy {}
  }

  /**
   * Decides whether a run may enter a checkout with these runs.
   *
   * @param session the session that it continues
   * @param parent the run that it follows
   */
  public static Occupancy of(
      RunId asking, Optional<SessionId> session, Optional<RunId> parent, List<Run> there) {
    List<Run> others =
        there.stream()
            .filter(run -> HOLDING.contains(run.state()) && !run.id().equals(asking))
            .toList();
    return others.stream()
        .filter(run -> run.state().live() || !follows(run, session, parent))
        .findFirst()
        .<Occupancy>map(Occupancy.Taken::new)
        .orElseGet(() -> new Occupancy.Free(others));
  }

  private static boolean follows(Run run, Optional<SessionId> session, Optional<RunId> parent) {
    return parent.equals(Optional.of(run.id()))
        || (session.isPresent() && session.equals(run.session()));
  }
}
