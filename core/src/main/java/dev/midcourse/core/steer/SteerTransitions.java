package dev.midcourse.core.steer;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.Transition;
import dev.midcourse.core.steer.Steer.RungClaim;
import dev.midcourse.core.steer.Steer.SteerEnding;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules for the state of a steer: a total function from a steer and a change to the next steer.
 *
 * <ul>
 *   <li>An ended steer never changes.
 *   <li>A rung is claimed at most once in each attempt.
 *   <li>A change by an attempt that does not hold the steer is stale.
 * </ul>
 */
public final class SteerTransitions {
  private SteerTransitions() {}

  public static Transition<Steer> apply(Steer steer, SteerChange change) {
    if (!steer.open()) {
      return afterTheEnd(steer, change);
    }
    return switch (change) {
      case SteerChange.Handed handed ->
          steer.pending() && canTake(steer, handed.attempt())
              ? changed(steer.withHolder(handed.attempt()).deliveredAs(handed.as()))
              : stale(describeHolder(steer));
      case SteerChange.Offered offered -> offered(steer, offered);
      case SteerChange.TurnBrokenOff broken -> turnBrokenOff(steer, broken);
      case SteerChange.OpenedTurn opened -> openedTurn(steer, opened);
      case SteerChange.Accepted word ->
          heldBy(steer, word.attempt(), Rung.ACCEPTED, word.at(), word.evidence());
      case SteerChange.Injected word ->
          heldBy(steer, word.attempt(), Rung.INJECTED, word.at(), word.evidence());
      case SteerChange.Seen word ->
          heldBy(steer, word.attempt(), Rung.SEEN, word.at(), word.evidence());
      case SteerChange.Answered word -> answered(steer, word);
      case SteerChange.Returned word ->
          steer.inTransit() && steer.holder() == word.attempt()
              ? changed(steer.asReturned())
              : stale("attempt " + word.attempt() + " does not hold it in transit");
      case SteerChange.Forgotten word ->
          !steer.pending() && steer.holder() == word.attempt()
              ? changed(steer.asReturned())
              : stale("attempt " + word.attempt() + " does not hold it");
      case SteerChange.Kept word -> kept(steer, word);
      case SteerChange.Refused word ->
          mayHave(steer, word.attempt()) && !steer.inConversation()
              ? ended(steer, SteerEnd.REFUSED, word.at(), word.reason())
              : stale("attempt " + word.attempt() + " does not hold it in transit");
      case SteerChange.LostTrack word ->
          steer.inTransit() && steer.holder() == word.attempt()
              ? ended(steer, SteerEnd.UNKNOWN, word.at(), word.reason())
              : stale("attempt " + word.attempt() + " does not hold it in transit");
      case SteerChange.Withdrawn asked ->
          whilePending(
              steer, "withdraw", () -> end(steer, SteerEnd.WITHDRAWN, asked.at(), asked.reason()));
      case SteerChange.Superseded by ->
          whilePending(
              steer,
              "supersede",
              () -> end(steer, SteerEnd.SUPERSEDED, by.at(), "replaced by " + by.by()));
      case SteerChange.Expired expired ->
          steer.inConversation()
              ? stale("it is in the session already")
              : ended(
                  steer,
                  steer.pending() ? SteerEnd.EXPIRED : SteerEnd.UNKNOWN,
                  expired.at(),
                  expired.reason());
      case SteerChange.CarriedOut done ->
          steer.mode() == SteerMode.STOP
              ? ended(
                  claim(steer, Rung.ANSWERED, done.at(), steer.lastAttempt(), done.evidence()),
                  SteerEnd.ANSWERED,
                  done.at(),
                  done.evidence())
              : stale("only a stop is carried out");
      case SteerChange.Edited edited -> edited(steer, edited);
      case SteerChange.Promoted _ -> promoted(steer);
    };
  }

  private static Transition<Steer> offered(Steer steer, SteerChange.Offered offered) {
    if (!canTake(steer, offered.attempt())) {
      return stale(describeHolder(steer));
    }
    if (!steer.pending() && steer.reachedIn(offered.attempt(), Rung.OFFERED)) {
      return stale("attempt " + offered.attempt() + " has it already");
    }
    Steer held = steer.withHolder(offered.attempt()).deliveredAs(offered.as());
    return changed(claim(held, Rung.OFFERED, offered.at(), offered.attempt(), offered.evidence()));
  }

  private static Transition<Steer> turnBrokenOff(Steer steer, SteerChange.TurnBrokenOff broken) {
    boolean due =
        steer.pending() && steer.mode() == SteerMode.INTERRUPT && steer.deliveredMode().isEmpty();
    return due && canTake(steer, broken.attempt())
        ? changed(steer.deliveredAs(SteerMode.INTERRUPT))
        : stale("it is no pending interrupt");
  }

  private static Transition<Steer> openedTurn(Steer steer, SteerChange.OpenedTurn opened) {
    if (!canTake(steer, opened.attempt()) || steer.inConversation()) {
      return stale(describeHolder(steer));
    }
    Steer held = steer.withHolder(opened.attempt()).deliveredAs(opened.as());
    boolean late = steer.mode() == SteerMode.STEER && opened.turn() > 1;
    return changed(late ? held.carriedTo("turn " + opened.turn()) : held);
  }

  /** An attempt can take a steer that no attempt holds, unless a later attempt had it. */
  private static boolean canTake(Steer steer, int attempt) {
    return steer.holder() == 0
        ? attempt >= Math.max(1, steer.lastAttempt())
        : steer.holder() == attempt;
  }

  /**
   * Whether the agent of this attempt can have the steer. It can have a pending one: a hub wrote it
   * and died before it stored that. A steer that was in the conversation of the attempt and is
   * pending again was in a conversation that is lost.
   */
  private static boolean mayHave(Steer steer, int attempt) {
    return canTake(steer, attempt) && !(steer.pending() && steer.shownIn(attempt));
  }

  private static String describeHolder(Steer steer) {
    return steer.pending()
        ? "a later attempt has had it"
        : "attempt " + steer.holder() + " holds it";
  }

  /** Evidence for a lower rung counts even if it comes late. A repeated rung is stale. */
  private static Transition<Steer> heldBy(
      Steer steer, int attempt, Rung rung, Instant at, String evidence) {
    if (!mayHave(steer, attempt)) {
      return stale("attempt " + attempt + " does not hold it");
    }
    if (steer.reachedIn(attempt, rung)) {
      return stale(rung.wire() + " is claimed already");
    }
    Steer held = steer.withHolder(attempt);
    Steer named = held.deliveredMode().isPresent() ? held : held.deliveredAs(held.mode());
    return changed(claim(named, rung, at, attempt, evidence));
  }

  private static Transition<Steer> kept(Steer steer, SteerChange.Kept word) {
    if (!steer.inConversation() || steer.holder() >= word.attempt()) {
      return stale("no earlier attempt has it in its session");
    }
    Steer held = steer.withHolder(word.attempt());
    return changed(claim(held, Rung.INJECTED, word.at(), word.attempt(), word.evidence()));
  }

  private static Transition<Steer> answered(Steer steer, SteerChange.Answered word) {
    if (!steer.inConversation() || steer.holder() != word.attempt()) {
      return stale("attempt " + word.attempt() + " has not shown it in the session");
    }
    Steer top = claim(steer, Rung.ANSWERED, word.at(), word.attempt(), word.evidence());
    SteerEnd how = steer.carriedTo().isPresent() ? SteerEnd.CARRIED : SteerEnd.ANSWERED;
    String reason =
        steer
            .carriedTo()
            .map(place -> "its turn ended first; it opened " + place + ", which has ended")
            .orElse(word.evidence());
    return ended(top, how, word.at(), reason);
  }

  /** A text with the id of the steer is rejected: it could close its own frame. */
  private static Transition<Steer> edited(Steer steer, SteerChange.Edited edited) {
    if (edited.text().value().contains(steer.id().value())) {
      return new Transition.Rejected<>(
          Problem.invalid(
              "text", "without the steer's own id", "text contains the id of the steer itself"));
    }
    return whilePending(steer, "edit", () -> steer.withText(edited.text()));
  }

  private static Transition<Steer> promoted(Steer steer) {
    return switch (steer.mode()) {
      case FOLLOW_UP, NEXT -> whilePending(steer, "promote", () -> steer.withMode(SteerMode.STEER));
      case STEER, INTERRUPT, STOP ->
          new Transition.Rejected<>(
              Problem.invalid(
                  "steer_id",
                  "a pending follow_up or next",
                  "only a pending follow_up or next can be promoted; this is a "
                      + steer.mode().wire()));
    };
  }

  private static Transition<Steer> afterTheEnd(Steer steer, SteerChange change) {
    String how = steer.ended().map(ending -> ending.how().wire()).orElse("open");
    return switch (change) {
      case SteerChange.Withdrawn _,
          SteerChange.Edited _,
          SteerChange.Promoted _,
          SteerChange.Superseded _ ->
          new Transition.Rejected<>(
              Problem.of(
                  Code.TOO_LATE,
                  "steer_id",
                  "an open steer",
                  "steer " + steer.id().shortened() + " has ended: " + how));
      case SteerChange.Handed _,
          SteerChange.Offered _,
          SteerChange.TurnBrokenOff _,
          SteerChange.OpenedTurn _,
          SteerChange.Accepted _,
          SteerChange.Injected _,
          SteerChange.Seen _,
          SteerChange.Answered _,
          SteerChange.Returned _,
          SteerChange.Kept _,
          SteerChange.Forgotten _,
          SteerChange.Refused _,
          SteerChange.LostTrack _,
          SteerChange.Expired _,
          SteerChange.CarriedOut _ ->
          stale("the steer has ended: " + how);
    };
  }

  private interface Then {
    Steer steer();
  }

  private static Transition<Steer> whilePending(Steer steer, String verb, Then then) {
    if (!steer.pending()) {
      return tooLate(steer, verb, "the agent has it already");
    }
    return changed(then.steer());
  }

  private static Transition<Steer> tooLate(Steer steer, String verb, String why) {
    return new Transition.Rejected<>(
        Problem.of(
            Code.TOO_LATE,
            "steer_id",
            "a steer the agent does not have yet",
            "too late to " + verb + " steer " + steer.id().shortened() + ": " + why));
  }

  private static Steer claim(Steer steer, Rung rung, Instant at, int attempt, String evidence) {
    if (steer.reachedIn(attempt, rung)) {
      return steer;
    }
    List<RungClaim> claims = new ArrayList<>(steer.rungs());
    claims.add(new RungClaim(rung, at, attempt, evidence));
    return steer.withRungs(claims);
  }

  private static Steer end(Steer steer, SteerEnd how, Instant at, String reason) {
    return steer.endedBy(new SteerEnding(how, at, reason));
  }

  private static Transition<Steer> ended(Steer steer, SteerEnd how, Instant at, String reason) {
    return changed(end(steer, how, at, reason));
  }

  private static Transition<Steer> changed(Steer steer) {
    return new Transition.Changed<>(steer);
  }

  private static Transition<Steer> stale(String why) {
    return new Transition.Stale<>(why);
  }
}
