package dev.midcourse.core.loop;

import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.loop.finding.FindingList;
import dev.midcourse.core.loop.forge.ForgeOrder;
import dev.midcourse.core.loop.forge.LoopForge;
import dev.midcourse.core.steer.Author;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An autopilot task above runs and everything that is known about it. Only {@link LoopStep} changes
 * it.
 *
 * @param land whether the clean branch is merged into its base
 * @param prompts all wordings of the task, the newest last
 * @param budget the budget of the order, and what a person has added
 * @param parking present exactly while the phase is {@link LoopPhase#PARKED}
 * @param base the commit at which the branch began
 * @param head the newest commit of the branch that the loop knows
 * @param trees the trees of all commits that were checked: the same tree again is a circle
 * @param holding how many findings held the loop after each round of checks
 * @param check the newest round of checks
 * @param forge what is known of the change at the forge; present exactly for a loop that uses one
 * @param result one sentence about the end; blank before it
 */
public record Loop(
    LoopId id,
    LoopSpec spec,
    Author createdBy,
    Instant createdAt,
    boolean land,
    List<PromptVersion> prompts,
    LoopBudget budget,
    LoopPhase phase,
    Optional<Parking> parking,
    Optional<String> base,
    Optional<String> head,
    List<String> trees,
    List<Integer> holding,
    Optional<LoopCheck> check,
    FindingList findings,
    List<LoopCall> calls,
    List<Guidance> guidance,
    Usage spent,
    Optional<LoopForge> forge,
    String result,
    Optional<Instant> endedAt) {

  public Loop {
    prompts = List.copyOf(prompts);
    trees = List.copyOf(trees);
    holding = List.copyOf(holding);
    calls = List.copyOf(calls);
    guidance = List.copyOf(guidance);
    if ((phase == LoopPhase.PARKED) != parking.isPresent()) {
      throw new IllegalArgumentException("a loop has a parking exactly while it is parked");
    }
  }

  /** A new loop, before anything was done. */
  public static Loop created(
      LoopId id,
      LoopSpec spec,
      LoopBudget budget,
      boolean land,
      String prompt,
      Author author,
      Instant now) {
    return new Loop(
        id,
        spec,
        author,
        now,
        land,
        List.of(new PromptVersion(1, prompt, author, now)),
        budget,
        LoopPhase.PREPARE,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        List.of(),
        Optional.empty(),
        FindingList.EMPTY,
        List.of(),
        List.of(),
        Usage.NOTHING,
        spec.forge().map(order -> LoopForge.of(order, spec.base().value())),
        "",
        Optional.empty());
  }

  public PromptVersion prompt() {
    return prompts.getLast();
  }

  public Optional<LoopCall> call(int number) {
    return calls.stream().filter(it -> it.number() == number).findFirst();
  }

  public List<LoopCall> openCalls() {
    return calls.stream().filter(LoopCall::isOpen).toList();
  }

  /** The call that changes the code now; empty while the loop waits. */
  public Optional<LoopCall> openWork() {
    return calls.stream().filter(it -> it.isOpen() && it.kind().isWork()).findFirst();
  }

  /** The newest call that changed the code, or does so. Fixes continue its session. */
  public Optional<LoopCall> lastWork() {
    return calls.reversed().stream().filter(it -> it.kind().isWork()).findFirst();
  }

  /** The number of calls of this kind, without those that a person cut short. */
  public int count(CallKind kind) {
    return (int) calls.stream().filter(it -> it.kind() == kind && !it.cutShort()).count();
  }

  /** The number of rounds of checks so far. */
  public int round() {
    return check.map(LoopCheck::round).orElse(0);
  }

  /** Whether a clean end was shown for the newest commit, by a reviewer who looked at the whole. */
  public boolean isReviewed() {
    return check
        .filter(it -> it.scope() == ReviewScope.WHOLE && head.equals(Optional.of(it.head())))
        .flatMap(LoopCheck::review)
        .filter(ReviewVerdict.Clean.class::isInstance)
        .isPresent();
  }

  /** All changes of the branch so far; empty before it was prepared. */
  public Optional<CommitRange> changes() {
    return base.flatMap(from -> head.map(to -> new CommitRange(from, to)));
  }

  /** The changes of one call; empty if it changes no code, or has not come to its end. */
  public Optional<CommitRange> changesOf(int number) {
    Optional<String> before =
        calls.stream()
            .filter(it -> it.number() < number)
            .flatMap(it -> it.head().stream())
            .reduce((_, last) -> last)
            .or(() -> base);
    return call(number)
        .filter(it -> it.kind().isWork())
        .flatMap(LoopCall::head)
        .flatMap(to -> before.map(from -> new CommitRange(from, to)));
  }

  /** When the loop has to be asked what it does next, although nothing happened. */
  public Optional<Instant> nextDue() {
    return switch (phase) {
      case CHECK ->
          check.flatMap(it ->
              forge.filter(LoopForge::hasWaiting).isPresent() && it.isSettled()
                  ? Optional.of(it.reviewDue())
                  : it.nextDue());
      case VERIFY ->
          openCalls().stream().findFirst().map(it -> it.createdAt().plus(spec.ciTimeout()));
      case LAND -> forge.flatMap(this::landDue);
      case PREPARE, IMPLEMENT, PUBLISH, ANSWER, FIX, SYNC, PARKED, DONE, STOPPED ->
          Optional.empty();
    };
  }

  /** When the quiet time before the merge ends; after that, when a person is asked. */
  private Optional<Instant> landDue(LoopForge its) {
    if (!its.awaited().isEmpty()) {
      return Optional.empty();
    }
    Optional<Instant> quietEnd =
        its.quietFrom().map(it -> it.plus(spec.forge().map(ForgeOrder::quiet).orElseThrow()));
    return quietEnd.isPresent() ? quietEnd : check.map(LoopCheck::reviewDue);
  }

  /**
   * Where guidance of this scope goes if it is given now, as a person reads it: {@code to the
   * running implement}, {@code held for fix 3}.
   */
  public String destination(GuidanceScope scope) {
    Optional<LoopCall> running = openWork();
    if (scope == GuidanceScope.NOW && running.isPresent()) {
      return "to the running " + running.get().kind().wire();
    }
    return switch (scope) {
      case REVIEW -> "held for review " + (count(CallKind.REVIEW) + 1);
      case STANDING -> "held for every call from the next on";
      case NOW, NEXT, FIX ->
          count(CallKind.IMPLEMENT) == 0 && scope != GuidanceScope.FIX
              ? "held for the implementation"
              : "held for fix " + (count(CallKind.FIX) + 1);
    };
  }
}
