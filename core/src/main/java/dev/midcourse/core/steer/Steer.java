package dev.midcourse.core.steer;

import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A message to a live run, with the state of its delivery. Only {@link SteerTransitions} changes
 * it. Its {@link Receipt} is the view for people.
 *
 * @param mode the mode that the author asked for
 * @param deliveredMode the mode of the delivery; empty before it
 * @param keyedContent the digest of the request that came with the key; edits and promotions do not
 *     change it
 * @param holder the attempt whose agent holds the steer; 0 while it waits in the ledger
 * @param carriedTo the turn that the steer opened because its own turn had ended
 */
public record Steer(
    SteerId id,
    RunId run,
    long seq,
    Author author,
    SteerMode mode,
    Optional<SteerMode> deliveredMode,
    OnUnsupported onUnsupported,
    SteerText text,
    int edits,
    Optional<IdempotencyKey> key,
    Optional<String> keyedContent,
    Optional<Integer> expectedTurn,
    Optional<Instant> expiresAt,
    Optional<SteerId> supersedes,
    int holder,
    List<RungClaim> rungs,
    Optional<String> carriedTo,
    Optional<SteerEnding> ended) {

  public Steer {
    rungs = List.copyOf(rungs);
  }

  public boolean open() {
    return ended.isEmpty();
  }

  /** Open, and no agent holds it: it waits in the ledger for its boundary. */
  public boolean pending() {
    return open() && holder == 0;
  }

  /** The agent holds it and has not shown it in the conversation yet. */
  public boolean inTransit() {
    return open() && holder != 0 && !shownIn(holder);
  }

  /** In the conversation of the attempt that holds it, and not answered yet. */
  public boolean inConversation() {
    return open() && holder != 0 && shownIn(holder);
  }

  public boolean reached(Rung rung) {
    return rungs.stream().anyMatch(claim -> claim.rung() == rung);
  }

  public boolean reachedIn(int attempt, Rung rung) {
    return rungs.stream().anyMatch(c -> c.rung() == rung && c.attempt() == attempt);
  }

  /**
   * A steer in a request to the model was in the conversation, even if the agent did not say so.
   */
  boolean shownIn(int attempt) {
    return reachedIn(attempt, Rung.INJECTED) || reachedIn(attempt, Rung.SEEN);
  }

  /** The last attempt that reached a rung; 0 if none did. */
  int lastAttempt() {
    return rungs.stream().mapToInt(RungClaim::attempt).max().orElse(0);
  }

  /** The highest rung with evidence. */
  public Rung rung() {
    return rungs.stream().map(RungClaim::rung).max(Comparator.naturalOrder()).orElse(Rung.STORED);
  }

  public Instant storedAt() {
    return rungs.getFirst().at();
  }

  public boolean expiredBy(Instant now) {
    return expiresAt.isPresent() && !now.isBefore(expiresAt.get());
  }

  /**
   * Whether the turn that it expects can no longer take it. This never holds for a follow-up, which
   * comes after the turn, nor for an interrupt that has already broken its turn off.
   */
  public boolean tooLateFor(TurnState turn) {
    boolean needsItsTurn =
        mode == SteerMode.STEER || (mode == SteerMode.INTERRUPT && deliveredMode.isEmpty());
    return needsItsTurn
        && expectedTurn.isPresent()
        && (turn.number() > expectedTurn.get() || turn instanceof TurnState.Settled);
  }

  /** Whether it supersedes the older steer, by its own field or by the policy of the run. */
  public boolean replaces(Steer older, PendingPolicy policy) {
    boolean byPolicy =
        policy == PendingPolicy.LATEST
            && mode == SteerMode.STEER
            && older.mode == SteerMode.STEER
            && seq > older.seq;
    return byPolicy || supersedes.equals(Optional.of(older.id));
  }

  Steer withMode(SteerMode other) {
    return copy(other, deliveredMode, text, edits, holder, rungs, carriedTo, ended);
  }

  Steer withText(SteerText other) {
    return copy(mode, deliveredMode, other, edits + 1, holder, rungs, carriedTo, ended);
  }

  Steer withHolder(int attempt) {
    return copy(mode, deliveredMode, text, edits, attempt, rungs, carriedTo, ended);
  }

  /** No agent holds it again, and the turn it was carried to no longer counts. */
  Steer asReturned() {
    return copy(mode, deliveredMode, text, edits, 0, rungs, Optional.empty(), ended);
  }

  Steer deliveredAs(SteerMode done) {
    return copy(mode, Optional.of(done), text, edits, holder, rungs, carriedTo, ended);
  }

  Steer withRungs(List<RungClaim> claims) {
    return copy(mode, deliveredMode, text, edits, holder, claims, carriedTo, ended);
  }

  Steer carriedTo(String place) {
    return copy(mode, deliveredMode, text, edits, holder, rungs, Optional.of(place), ended);
  }

  Steer endedBy(SteerEnding ending) {
    return copy(mode, deliveredMode, text, edits, 0, rungs, carriedTo, Optional.of(ending));
  }

  private Steer copy(
      SteerMode newMode,
      Optional<SteerMode> newDeliveredMode,
      SteerText newText,
      int newEdits,
      int newHolder,
      List<RungClaim> newRungs,
      Optional<String> newCarriedTo,
      Optional<SteerEnding> newEnded) {
    return new Steer(
        id,
        run,
        seq,
        author,
        newMode,
        newDeliveredMode,
        onUnsupported,
        newText,
        newEdits,
        key,
        keyedContent,
        expectedTurn,
        expiresAt,
        supersedes,
        newHolder,
        newRungs,
        newCarriedTo,
        newEnded);
  }

  /** The end of a steer, with its time and the reason as text. */
  public record SteerEnding(SteerEnd how, Instant at, String reason) {}

  /**
   * A rung that a steer reached, with its evidence.
   *
   * @param attempt the attempt that reached it; 0 before the first attempt
   */
  public record RungClaim(Rung rung, Instant at, int attempt, String evidence) {}
}
