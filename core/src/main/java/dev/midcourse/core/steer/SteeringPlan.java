package dev.midcourse.core.steer;

import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides the actions on the open steers of a run. While a turn runs, it offers the steers of this
 * boundary; when the turn has settled, it opens the next turn with the steers that wait. A steer
 * without an action stays pending. Steers keep their order, except that interrupts go first.
 */
public record SteeringPlan(
    List<Steer> open, TurnState turn, Capabilities can, PendingPolicy policy, Instant now) {

  private static final Comparator<Steer> BY_SEQ = Comparator.comparingLong(Steer::seq);

  public SteeringPlan {
    open = open.stream().filter(Steer::open).sorted(BY_SEQ).toList();
  }

  public List<SteerAction> moves() {
    List<SteerAction> moves = new ArrayList<>();
    List<Steer> pending = new ArrayList<>();
    for (Steer steer : open) {
      if (!steer.pending()) {
        continue;
      }
      if (steer.expiredBy(now)) {
        moves.add(new SteerAction.Expire(steer, "not delivered within its TTL"));
      } else if (steer.tooLateFor(turn)) {
        moves.add(
            new SteerAction.Expire(steer, "turn " + steer.expectedTurn().get() + " was over"));
      } else {
        pending.add(steer);
      }
    }
    moves.addAll(replaceSuperseded(pending));
    if (policy == PendingPolicy.LATEST) {
      moves.addAll(replaceByNewest(pending));
    }
    switch (turn) {
      case TurnState.Running _ -> moves.addAll(actionsWhileRunning(pending));
      case TurnState.Settled _ -> moves.addAll(actionsWhenSettled(pending));
      case TurnState.Opening _, TurnState.Interrupting _ -> {}
    }
    return List.copyOf(moves);
  }

  /** The time at which the plan changes without an event: the next expiry of a pending steer. */
  public Optional<Instant> lookAgainAt() {
    return open.stream()
        .filter(Steer::pending)
        .flatMap(steer -> steer.expiresAt().stream())
        .min(Comparator.naturalOrder());
  }

  /** Whether the run can end: every open steer is guidance for a next turn. */
  public static boolean canEnd(List<Steer> steers) {
    return steers.stream().filter(Steer::open).allMatch(steer -> steer.mode() == SteerMode.NEXT);
  }

  private List<SteerAction> actionsWhileRunning(List<Steer> pending) {
    Optional<Steer> interrupt = pending.stream().filter(this::breaksOff).findFirst();
    if (interrupt.isPresent()) {
      return List.of(new SteerAction.Interrupt(interrupt.get()));
    }
    if (!can.has(Capability.MID_TURN_STEER)) {
      return List.of();
    }
    Stream<Steer> due =
        Stream.concat(of(pending, SteerMode.INTERRUPT), of(pending, SteerMode.STEER));
    return switch (policy) {
      case ALL, LATEST -> due.<SteerAction>map(SteerAction.Offer::new).toList();
      case ONE ->
          hasSteerInTransit()
              ? List.of()
              : due.limit(1).<SteerAction>map(SteerAction.Offer::new).toList();
    };
  }

  /** An interrupt breaks off one turn only. If the agent then goes on by itself, it is offered. */
  private boolean breaksOff(Steer steer) {
    return steer.mode() == SteerMode.INTERRUPT
        && steer.deliveredMode().isEmpty()
        && can.has(Capability.INTERRUPT);
  }

  /** Steers that the agent still holds come first: it opens a turn with them or gives them back. */
  private List<SteerAction> actionsWhenSettled(List<Steer> pending) {
    if (hasSteerInTransit()) {
      return List.of();
    }
    List<Steer> inOrder =
        Stream.concat(
                of(pending, SteerMode.INTERRUPT),
                pending.stream()
                    .filter(s -> s.mode() == SteerMode.STEER || s.mode() == SteerMode.FOLLOW_UP))
            .toList();
    if (inOrder.isEmpty()) {
      return List.of();
    }
    List<Steer> opening =
        switch (policy) {
          case ALL, LATEST -> inOrder;
          case ONE -> inOrder.subList(0, 1);
        };
    return List.of(new SteerAction.OpenTurn(of(pending, SteerMode.NEXT).toList(), opening));
  }

  private boolean hasSteerInTransit() {
    return open.stream().anyMatch(Steer::inTransit);
  }

  /**
   * Removes all but the newest steer of mode {@code STEER} from {@code pending} and returns the
   * actions on the others. The agent may hold the newest already when it gives an older one back.
   */
  private List<SteerAction> replaceByNewest(List<Steer> pending) {
    List<Steer> candidates =
        open.stream()
            .filter(steer -> steer.mode() == SteerMode.STEER)
            .filter(steer -> pending.contains(steer) || !steer.pending())
            .toList();
    if (candidates.size() < 2) {
      return List.of();
    }
    Steer newest = candidates.getLast();
    return candidates.subList(0, candidates.size() - 1).stream()
        .flatMap(older -> replace(older, newest, pending))
        .toList();
  }

  /** Does the same for steers that name the steer they supersede. */
  private List<SteerAction> replaceSuperseded(List<Steer> pending) {
    List<SteerAction> moves = new ArrayList<>();
    List<Steer> replacing =
        open.stream()
            .filter(steer -> steer.supersedes().isPresent())
            .filter(steer -> pending.contains(steer) || !steer.pending())
            .toList();
    for (Steer newer : replacing) {
      open.stream()
          .filter(older -> newer.supersedes().equals(Optional.of(older.id())))
          .flatMap(older -> replace(older, newer, pending))
          .forEach(moves::add);
    }
    return moves;
  }

  private Stream<SteerAction> replace(Steer older, Steer newer, List<Steer> pending) {
    if (pending.remove(older)) {
      return Stream.of(new SteerAction.Supersede(older, newer));
    }
    return older.inTransit() && can.has(Capability.WITHDRAW)
        ? Stream.of(new SteerAction.TakeBack(older, newer))
        : Stream.empty();
  }

  private static Stream<Steer> of(List<Steer> steers, SteerMode mode) {
    return steers.stream().filter(steer -> steer.mode() == mode);
  }

  /** One action of a supervisor on the open steers of its run. */
  public sealed interface SteerAction {
    /** Write the steer to the agent now, into the running turn. */
    record Offer(Steer steer) implements SteerAction {}

    /** Open the next turn with these steers, in this order. Guidance comes first. */
    record OpenTurn(List<Steer> guidance, List<Steer> steers) implements SteerAction {}

    /** Interrupt the running turn. The steer stays pending and opens the next turn. */
    record Interrupt(Steer cause) implements SteerAction {}

    /** End the older steer; the newer one replaces it. */
    record Supersede(Steer older, Steer newer) implements SteerAction {}

    /** Ask the agent to give the older steer back, because the newer one replaces it. */
    record TakeBack(Steer older, Steer newer) implements SteerAction {}

    /** End the steer: its time to live or its expected turn is over. */
    record Expire(Steer steer, String reason) implements SteerAction {}
  }
}
