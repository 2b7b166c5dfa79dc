package dev.midcourse.core.steer;

import static dev.midcourse.core.Samples.START;
import static dev.midcourse.core.Samples.stored;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Samples;
import dev.midcourse.core.Seeded;
import dev.midcourse.core.Transition;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.SteerReference;
import dev.midcourse.core.steer.SteeringPlan.SteerAction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * A run in small: steers, the plan that moves them, and an agent that does with them what its
 * abilities and chance allow. Checks at every step what must hold of the steps themselves.
 */
final class PlannedRun {
  private static final SteerMode[] MODES = {
    SteerMode.STEER,
    SteerMode.STEER,
    SteerMode.STEER,
    SteerMode.INTERRUPT,
    SteerMode.FOLLOW_UP,
    SteerMode.NEXT
  };
  private static final int ATTEMPT = 1;

  private final RandomGenerator random;
  private final Capabilities can;
  private final PendingPolicy policy;
  private final Map<SteerId, Steer> steers = new LinkedHashMap<>();
  private final Map<SteerMode, Long> lastSent = new EnumMap<>(SteerMode.class);
  private final Set<SteerId> sentBefore = new HashSet<>();

  /** The agent's side: what it holds, what it is asked for, and what it has taken in. */
  private final Set<SteerId> held = new LinkedHashSet<>();

  private final SequencedMap<SteerId, Steer> askedBack = new LinkedHashMap<>();
  private final List<SteerId> conversation = new ArrayList<>();

  private TurnState turn = new TurnState.Settled(0);
  private Instant now = START;

  PlannedRun(RandomGenerator random) {
    this.random = random;
    this.can = capabilities(random);
    this.policy = Seeded.oneOf(random, PendingPolicy.values());
  }

  private static Capabilities capabilities(RandomGenerator random) {
    Set<Capability> all = EnumSet.allOf(Capability.class);
    if (!random.nextBoolean()) {
      all.remove(Capability.WITHDRAW);
    }
    if (random.nextInt(4) == 0) {
      all.remove(Capability.MID_TURN_STEER);
    }
    if (random.nextInt(4) == 0) {
      all.remove(Capability.INTERRUPT);
    }
    if (!random.nextBoolean()) {
      all.remove(Capability.KEEPS_PENDING_ON_INTERRUPT);
    }
    return new Capabilities(all);
  }

  PendingPolicy policy() {
    return policy;
  }

  List<Steer> steers() {
    return List.copyOf(steers.values());
  }

  void somethingHappens() {
    now = now.plusSeconds(random.nextInt(4));
    if (random.nextInt(3) == 0) {
      submit();
    } else {
      theAgentActs();
    }
  }

  /** No further event comes; the agent works off the steers that it has. */
  void comesToRest() {
    for (int step = 0; step < 2_000; step++) {
      plan();
      now = now.plusSeconds(1);
      if (turn instanceof TurnState.Settled && held.isEmpty() && askedBack.isEmpty()) {
        return;
      }
      theAgentActs();
    }
    throw new AssertionError("it never comes to rest: " + turn + ", held " + held);
  }

  void plan() {
    List<Steer> open = steers.values().stream().filter(Steer::open).toList();
    List<SteerAction> moves = new SteeringPlan(open, turn, can, policy, now).moves();
    TurnState planned = turn;
    for (SteerAction move : moves) {
      boolean waits =
          planned instanceof TurnState.Opening || planned instanceof TurnState.Interrupting;
      boolean acts =
          move instanceof SteerAction.Offer
              || move instanceof SteerAction.OpenTurn
              || move instanceof SteerAction.Interrupt;
      assertThat(waits && acts).as("%s while %s", move, planned).isFalse();
      make(move);
    }
    assertThat(steers.values()).noneMatch(s -> s.pending() && s.expiredBy(now));
    if (policy == PendingPolicy.ONE) {
      assertThat(steers.values().stream().filter(Steer::inTransit))
          .filteredOn(steer -> steer.mode() != SteerMode.NEXT)
          .hasSizeLessThanOrEqualTo(1);
    }
  }

  private void make(SteerAction move) {
    switch (move) {
      case SteerAction.Offer(Steer steer) -> {
        assertThat(turn).isInstanceOf(TurnState.Running.class);
        assertThat(can.has(Capability.MID_TURN_STEER)).isTrue();
        send(steer, new SteerChange.Offered(ATTEMPT, SteerMode.STEER, now, "written"));
      }
      case SteerAction.OpenTurn(List<Steer> guidance, List<Steer> opening) -> {
        assertThat(turn).isInstanceOf(TurnState.Settled.class);
        assertThat(opening).isNotEmpty();
        turn = new TurnState.Opening(turn.number() + 1);
        guidance.forEach(steer -> send(steer, opened(steer)));
        opening.forEach(steer -> send(steer, opened(steer)));
      }
      case SteerAction.Interrupt(Steer cause) -> {
        assertThat(can.has(Capability.INTERRUPT)).isTrue();
        assertThat(cause.deliveredMode()).as("broken off once").isEmpty();
        change(cause.id(), new SteerChange.TurnBrokenOff(ATTEMPT, now));
        turn = new TurnState.Interrupting(turn.number());
      }
      case SteerAction.Supersede(Steer older, Steer newer) -> {
        assertThat(older.seq()).isLessThan(newer.seq());
        change(older.id(), new SteerChange.Superseded(newer.id(), now));
      }
      case SteerAction.TakeBack(Steer older, Steer newer) -> {
        assertThat(can.has(Capability.WITHDRAW)).isTrue();
        askedBack.putIfAbsent(older.id(), newer);
      }
      case SteerAction.Expire(Steer steer, String reason) ->
          change(steer.id(), new SteerChange.Expired(now, reason));
    }
  }

  private SteerChange opened(Steer steer) {
    return new SteerChange.OpenedTurn(ATTEMPT, turn.number(), steer.mode(), now);
  }

  private void send(Steer steer, SteerChange change) {
    assertThat(held).as("sent twice").doesNotContain(steer.id());
    assertThat(conversation).as("sent again").doesNotContain(steer.id());
    if (sentBefore.add(steer.id())) {
      Long before = lastSent.put(steer.mode(), steer.seq());
      if (before != null) {
        assertThat(steer.seq()).as("in order: %s", steer.mode()).isGreaterThan(before);
      }
    }
    change(steer.id(), change);
    held.add(steer.id());
  }

  private void submit() {
    long seq = steers.size() + 1L;
    Optional<Steer> older =
        random.nextInt(6) == 0
            ? steers.values().stream().filter(s -> s.pending() || s.inTransit()).findFirst()
            : Optional.empty();
    SteerRequest plain = Samples.request(Seeded.oneOf(random, MODES), "steer number " + seq);
    SteerRequest request =
        new SteerRequest(
            plain.text(),
            plain.mode(),
            Optional.empty(),
            Optional.empty(),
            random.nextInt(5) == 0
                ? Optional.of(Duration.between(START, now).plusSeconds(1 + random.nextInt(20)))
                : Optional.empty(),
            plain.onUnsupported(),
            older.map(Steer::id).map(SteerReference::to));
    Steer steer = older.map(o -> stored(seq, request, o)).orElseGet(() -> stored(seq, request));
    steers.put(steer.id(), steer);
  }

  private void theAgentActs() {
    if (!askedBack.isEmpty() && random.nextBoolean()) {
      givesBack();
      return;
    }
    switch (turn) {
      case TurnState.Settled(int number) -> {
        if (!held.isEmpty()) {
          settles(number);
        }
      }
      case TurnState.Opening(int number) -> {
        takesIn(held.size());
        turn = new TurnState.Running(number);
      }
      case TurnState.Running(int number) -> {
        switch (random.nextInt(4)) {
          case 0 -> held.stream().findFirst().ifPresent(this::accepts);
          case 1 -> takesIn(1 + random.nextInt(3));
          case 2 -> takesIn(held.size());
          default -> endsItsTurn(number);
        }
      }
      case TurnState.Interrupting(int number) -> endsItsTurn(number);
    }
  }

  /** The answer to a take-back: the older one, unless it is in the conversation by now. */
  private void givesBack() {
    Map.Entry<SteerId, Steer> asked = askedBack.pollFirstEntry();
    SteerId id = asked.getKey();
    Steer newer = asked.getValue();
    if (held.remove(id)) {
      change(id, new SteerChange.Returned(ATTEMPT, now, "given back"));
      if (random.nextBoolean()) {
        change(id, new SteerChange.Superseded(newer.id(), now));
      }
    }
  }

  private void accepts(SteerId id) {
    Transition<Steer> outcome =
        SteerTransitions.apply(steer(id), new SteerChange.Accepted(ATTEMPT, now, "queued"));
    if (outcome instanceof Transition.Changed(Steer next)) {
      steers.put(id, next);
    }
  }

  private void takesIn(int most) {
    for (SteerId id : held.stream().limit(most).toList()) {
      held.remove(id);
      conversation.add(id);
      change(id, new SteerChange.Injected(ATTEMPT, now, "shown"));
    }
  }

  private void endsItsTurn(int number) {
    for (Steer steer : steers()) {
      if (steer.inConversation()) {
        change(steer.id(), new SteerChange.Answered(ATTEMPT, now, "turn " + number + " over"));
      }
    }
    turn = new TurnState.Settled(number);
  }

  /** What it holds after its turn opens the next by itself, or comes back. */
  private void settles(int number) {
    if (can.has(Capability.KEEPS_PENDING_ON_INTERRUPT)) {
      turn = new TurnState.Running(number + 1);
      takesIn(held.size());
      return;
    }
    for (SteerId id : List.copyOf(held)) {
      held.remove(id);
      change(id, new SteerChange.Returned(ATTEMPT, now, "no turn was running"));
    }
  }

  private Steer steer(SteerId id) {
    return Optional.ofNullable(steers.get(id)).orElseThrow();
  }

  private void change(SteerId id, SteerChange change) {
    Steer before = steer(id);
    Steer next = SteerTransitionsTest.changed(before, change);
    SteerInvariants.hold(before, change, next);
    steers.put(id, next);
  }
}
