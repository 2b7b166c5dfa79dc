package dev.midcourse.core.steer;

import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A message for a run in flight and all that is known of it. Changed only by {@link
 * SteerTransitions}; what people see of it is its {@link Receipt}.
 *
 * @param mode what was asked for
 * @param deliveredMode what was done, once that is known
 * @param keyedContent the digest of the request that came with the key, whatever an edit or a
 *     promotion has made of the steer since
 * @param holder the attempt whose agent holds it now; 0 when it waits in the ledger
 * @param carriedTo the turn or run it opened because its own turn ended first
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

  /** Open and with nobody: it waits in the ledger for its boundary. */
  public boolean pending() {
    return open() && holder == 0;
  }

  /** Given to the agent, which has not shown it in the conversation yet. */
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

  /** What was in a model request was in the conversation, whether the agent showed it or not. */
  boolean shownIn(int attempt) {
    return reachedIn(attempt, Rung.INJECTED) || reachedIn(attempt, Rung.SEEN);
  }

  /** The last attempt that had anything to do with it; 0 when none had. */
  int lastAttempt() {
    return rungs.stream().mapToInt(RungClaim::attempt).max().orElse(0);
  }

  /** The highest rung that was proved. */
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
   * Whether it was meant for a turn that can take it in no more. A follow-up comes after its turn
   * anyway, and an interrupt has had its turn once it broke that off.
   */
  public boolean tooLateFor(TurnState turn) {
    boolean needsItsTurn =
        mode == SteerMode.STEER || (mode == SteerMode.INTERRUPT && deliveredMode.isEmpty());
    return needsItsTurn
        && expectedTurn.isPresent()
        && (turn.number() > expectedTurn.get() || turn instanceof TurnState.Settled);
  }

  /**
   * Whether it was stored to take the older one's place, by its own word or by the run's policy.
   */
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

  /** With nobody again; the place it was carried to no longer has it. */
  Steer backInTheLedger() {
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
}
