package dev.midcourse.core.chat.autopilot;

import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopCheck;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.ParkReason;
import dev.midcourse.core.loop.Parking;
import dev.midcourse.core.text.CodeFence;
import dev.midcourse.core.text.VisibleText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a loop asks the people of its chat.
 *
 * @param about what the question is about, so that a click on a card of an earlier question is
 *     known: a commit, or the time since which the loop is parked
 */
public record LoopCard(String title, String text, List<LoopChoice> choices, String about) {
  private static final int SHORT_COMMIT = 10;

  public LoopCard {
    choices = List.copyOf(choices);
  }

  /** The question of the loop as it is now; empty if it asks nothing. */
  public static Optional<LoopCard> of(Loop loop) {
    return loop.parking().map(it -> parked(loop, it)).or(() -> review(loop));
  }

  /** What people are told about the end of the loop; empty before it. */
  public static Optional<String> end(Loop loop) {
    return loop.endedAt()
        .map(_ ->
            "Loop "
                + loop.id()
                + " is "
                + loop.phase().wire()
                + ": "
                + VisibleText.prose(loop.result())
                + "\nIts branch is "
                + loop.spec().branch()
                + ".");
  }

  private static LoopCard parked(Loop loop, Parking parking) {
    List<LoopChoice> choices = new ArrayList<>();
    choices.add(LoopChoice.GO);
    boolean missing =
        parking.reason() == ParkReason.UNAVAILABLE || parking.reason() == ParkReason.DEADLINE;
    if (missing && parking.resume() == LoopPhase.CHECK) {
      choices.add(LoopChoice.SKIP);
    }
    choices.add(LoopChoice.STOP);
    return new LoopCard(
        "Loop " + loop.id() + " asks you",
        CodeFence.of(VisibleText.exact(parking.question()))
            + "\nReply with words to steer it; they are held for its next call.",
        choices,
        parking.since().toString());
  }

  private static Optional<LoopCard> review(Loop loop) {
    return loop.check()
        .filter(_ -> loop.phase() == LoopPhase.CHECK)
        .filter(it -> it.review().isEmpty())
        .filter(_ -> loop.spec().reviewer() instanceof LoopReviewer.OfPerson)
        .map(check -> review(loop, check));
  }

  private static LoopCard review(Loop loop, LoopCheck check) {
    String head = check.head();
    return new LoopCard(
        "Loop " + loop.id() + " waits for your review",
        "Commit "
            + head.substring(0, Math.min(SHORT_COMMIT, head.length()))
            + " of branch "
            + loop.spec().branch()
            + ".\nReply with findings, one a line (src/App.java:12: minor: the text), or approve it.",
        List.of(LoopChoice.APPROVE, LoopChoice.STOP),
        head);
  }
}
