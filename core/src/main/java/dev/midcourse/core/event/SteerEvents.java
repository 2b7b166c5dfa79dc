package dev.midcourse.core.event;

import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.Steer.RungClaim;
import java.util.ArrayList;
import java.util.List;

/** The events for a change of a steer: one for each part that changed. */
public final class SteerEvents {
  private SteerEvents() {}

  public static RunEvent stored(Steer steer) {
    return new RunEvent.SteerStored(
        steer.id(), steer.seq(), steer.mode(), steer.author(), steer.text().value());
  }

  public static List<RunEvent> between(Steer before, Steer after) {
    List<RunEvent> events = new ArrayList<>();
    if (!before.text().equals(after.text())) {
      events.add(new RunEvent.SteerEdited(after.id(), after.seq(), after.text().value()));
    }
    if (before.mode() != after.mode()) {
      events.add(new RunEvent.SteerPromoted(after.id(), after.seq()));
    }
    if (before.holder() != 0 && after.pending()) {
      events.add(new RunEvent.SteerReturned(after.id(), after.seq(), "returned to the queue"));
    }
    if (!before.carriedTo().equals(after.carriedTo())) {
      after
          .carriedTo()
          .ifPresent(to -> events.add(new RunEvent.SteerCarried(after.id(), after.seq(), to)));
    }
    for (RungClaim claim : after.rungs().subList(before.rungs().size(), after.rungs().size())) {
      events.add(
          new RunEvent.SteerRaised(
              after.id(), after.seq(), claim.rung(), claim.attempt(), claim.evidence()));
    }
    after
        .ended()
        .ifPresent(end ->
            events.add(new RunEvent.SteerEnded(after.id(), after.seq(), end.how(), end.reason())));
    return List.copyOf(events);
  }
}
