package dev.midcourse.core.steer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.steer.Steer.RungClaim;
import dev.midcourse.core.steer.Steer.SteerEnding;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** What must hold of every steer, and of every step from one to the next. */
final class SteerInvariants {
  private SteerInvariants() {}

  static void hold(Steer steer) {
    assertThat(
            Stream.of(steer.pending(), steer.inTransit(), steer.inConversation(), !steer.open())
                .filter(is -> is))
        .as("it is in exactly one place: %s", steer)
        .hasSize(1);
    assertThat(steer.holder()).isNotNegative();
    assertThat(steer.rungs().getFirst().rung()).isEqualTo(Rung.STORED);
    assertThat(steer.rungs().stream().map(claim -> claim.rung() + " in " + claim.attempt()))
        .as("a rung is claimed once in an attempt")
        .doesNotHaveDuplicates();
    boolean stop = steer.mode() == SteerMode.STOP;
    assertThat(steer.rungs().stream().skip(1))
        .as("only an attempt proves more than stored")
        .allMatch(claim -> claim.rung() != Rung.STORED && (stop || claim.attempt() > 0));
    for (RungClaim claim : steer.rungs()) {
      if (claim.rung() == Rung.ANSWERED && !stop) {
        assertThat(
                steer.reachedIn(claim.attempt(), Rung.INJECTED)
                    || steer.reachedIn(claim.attempt(), Rung.SEEN))
            .as("answered needs injected: %s", steer)
            .isTrue();
      }
    }
    if (!steer.open()) {
      assertThat(steer.holder()).as("nobody holds what has ended").isZero();
    }
    steer.ended().ifPresent(ending -> endFits(steer, ending));
  }

  private static void endFits(Steer steer, SteerEnding ending) {
    boolean answered = steer.reached(Rung.ANSWERED);
    switch (ending.how()) {
      case ANSWERED -> {
        assertThat(answered).isTrue();
        assertThat(steer.carriedTo()).isEmpty();
      }
      case CARRIED -> assertThat(steer.carriedTo()).isPresent();
      case WITHDRAWN, SUPERSEDED, EXPIRED, REFUSED, UNKNOWN -> assertThat(answered).isFalse();
    }
  }

  static void hold(Steer before, SteerChange change, Steer next) {
    hold(next);
    assertThat(before.open()).as("an end is an end: %s", change).isTrue();
    assertThat(identity(next)).isEqualTo(identity(before));
    assertThat(next.rung()).as("the receipt never falls").isGreaterThanOrEqualTo(before.rung());
    claimsFit(before, change, next);
    fenced(before, change);
    textFits(before, change, next);
    endFits(before, change, next);
    if (before.holder() != 0 && next.holder() != 0 && next.holder() != before.holder()) {
      assertThat(change).isInstanceOf(SteerChange.Kept.class);
      assertThat(next.holder()).isGreaterThan(before.holder());
      assertThat(before.inConversation()).isTrue();
    }
    if (before.inConversation() && next.inTransit()) {
      throw new AssertionError("out of the conversation by " + change);
    }
  }

  private static List<Object> identity(Steer steer) {
    return List.of(
        steer.id(),
        steer.run(),
        steer.seq(),
        steer.author(),
        steer.onUnsupported(),
        steer.key(),
        steer.keyedContent(),
        steer.expectedTurn(),
        steer.expiresAt(),
        steer.supersedes());
  }

  private static void claimsFit(Steer before, SteerChange change, Steer next) {
    int had = before.rungs().size();
    assertThat(next.rungs()).startsWith(before.rungs().toArray(RungClaim[]::new));
    List<RungClaim> more = next.rungs().subList(had, next.rungs().size());
    Optional<Rung> proves = proves(change);
    assertThat(more).hasSizeLessThanOrEqualTo(proves.isPresent() ? 1 : 0);
    for (RungClaim claim : more) {
      assertThat(claim.rung()).isEqualTo(proves.orElseThrow());
      assertThat(claim.attempt())
          .isEqualTo(SteerChanges.attempt(change).orElse(before.lastAttempt()));
      assertThat(claim.at()).isEqualTo(change.at());
      assertThat(claim.evidence()).isNotBlank();
    }
  }

  private static Optional<Rung> proves(SteerChange change) {
    return switch (change) {
      case SteerChange.Offered _ -> Optional.of(Rung.OFFERED);
      case SteerChange.Accepted _ -> Optional.of(Rung.ACCEPTED);
      case SteerChange.Injected _, SteerChange.Kept _ -> Optional.of(Rung.INJECTED);
      case SteerChange.Seen _ -> Optional.of(Rung.SEEN);
      case SteerChange.Answered _, SteerChange.CarriedOut _ -> Optional.of(Rung.ANSWERED);
      case SteerChange.Handed _,
          SteerChange.TurnBrokenOff _,
          SteerChange.OpenedTurn _,
          SteerChange.Returned _,
          SteerChange.Forgotten _,
          SteerChange.Refused _,
          SteerChange.LostTrack _,
          SteerChange.Withdrawn _,
          SteerChange.Superseded _,
          SteerChange.Expired _,
          SteerChange.Edited _,
          SteerChange.Promoted _ ->
          Optional.empty();
    };
  }

  private static void fenced(Steer before, SteerChange change) {
    OptionalInt attempt = SteerChanges.attempt(change);
    if (attempt.isPresent()) {
      assertThat(attempt.getAsInt())
          .as("the word of an earlier attempt changes nothing: %s on %s", change, before)
          .isPositive()
          .isGreaterThanOrEqualTo(Math.max(before.lastAttempt(), before.holder()));
    }
  }

  private static void textFits(Steer before, SteerChange change, Steer next) {
    if (change instanceof SteerChange.Edited edited) {
      assertThat(before.pending()).isTrue();
      assertThat(next.text()).isEqualTo(edited.text());
      assertThat(next.edits()).isEqualTo(before.edits() + 1);
    } else {
      assertThat(next.text()).isEqualTo(before.text());
      assertThat(next.edits()).isEqualTo(before.edits());
    }
    if (change instanceof SteerChange.Promoted) {
      assertThat(before.pending()).isTrue();
      assertThat(before.mode()).isIn(SteerMode.FOLLOW_UP, SteerMode.NEXT);
      assertThat(next.mode()).isEqualTo(SteerMode.STEER);
    } else {
      assertThat(next.mode()).isEqualTo(before.mode());
    }
  }

  /** An end says something of where the steer was; so it must come from there. */
  private static void endFits(Steer before, SteerChange change, Steer next) {
    if (next.open()) {
      return;
    }
    SteerEnd how = next.ended().orElseThrow().how();
    assertThat(next.ended().orElseThrow().at()).isEqualTo(change.at());
    switch (how) {
      case ANSWERED ->
          assertThat(before.inConversation() || before.mode() == SteerMode.STOP).isTrue();
      case CARRIED ->
          assertThat(before.inConversation() || before.pending())
              .as("carried from transit: %s by %s", before, change)
              .isTrue();
      case WITHDRAWN, SUPERSEDED, EXPIRED ->
          assertThat(before.pending()).as("%s, but the agent has it: %s", how, before).isTrue();
      case REFUSED -> assertThat(before.inConversation()).isFalse();
      case UNKNOWN -> assertThat(before.inTransit()).as("%s by %s", before, change).isTrue();
    }
  }
}
