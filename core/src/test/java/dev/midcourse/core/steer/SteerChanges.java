package dev.midcourse.core.steer;

import static dev.midcourse.core.Samples.after;
import static dev.midcourse.core.Samples.steerId;

import dev.midcourse.core.Seeded;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Changes to try on a steer: every kind there is, by chance or all of them. */
final class SteerChanges {
  private static final SteerMode[] AS = {
    SteerMode.STEER, SteerMode.INTERRUPT, SteerMode.FOLLOW_UP, SteerMode.NEXT
  };

  private SteerChanges() {}

  /** Any change at all, of any attempt from none to the fourth. */
  static SteerChange any(RandomGenerator random, Instant at) {
    int attempt = random.nextInt(5);
    return switch (random.nextInt(20)) {
      case 0, 1 -> new SteerChange.Offered(attempt, Seeded.oneOf(random, AS), at, "written");
      case 2 -> new SteerChange.TurnBrokenOff(attempt, at);
      case 3, 4 ->
          new SteerChange.OpenedTurn(attempt, 1 + random.nextInt(3), Seeded.oneOf(random, AS), at);
      case 5 -> new SteerChange.Accepted(attempt, at, "held");
      case 6 -> new SteerChange.Injected(attempt, at, "shown");
      case 7 -> new SteerChange.Seen(attempt, at, "request 3");
      case 8 -> new SteerChange.Answered(attempt, at, "turn over");
      case 9 -> new SteerChange.Returned(attempt, at, "not taken");
      case 10 -> new SteerChange.Kept(attempt, at, "resumed");
      case 11 -> new SteerChange.Forgotten(attempt, at, "session gone");
      case 12 -> new SteerChange.Promoted(at);
      case 14 -> new SteerChange.Handed(attempt, Seeded.oneOf(random, AS), at);
      case 13 -> new SteerChange.Edited(SteerText.of("edited " + random.nextInt(9)), at);
      default -> anyEnd(random, attempt, at);
    };
  }

  /** Half as likely as the rest together, so that steers live long enough to be interesting. */
  private static SteerChange anyEnd(RandomGenerator random, int attempt, Instant at) {
    return switch (random.nextInt(12)) {
      case 0 -> new SteerChange.Refused(attempt, at, "would not");
      case 1 -> new SteerChange.LostTrack(attempt, at, "died");
      case 2 -> new SteerChange.Withdrawn(at, "taken back");
      case 3 -> new SteerChange.Superseded(steerId(99), at);
      case 4 -> new SteerChange.Expired(at, "too old");
      case 5 -> new SteerChange.CarriedOut(at, "nothing of it is alive");
      default -> new SteerChange.Accepted(attempt, at, "held");
    };
  }

  /** Every kind of change once for each of these attempts. */
  static List<SteerChange> all(int... attempts) {
    Instant at = after(1);
    Stream<SteerChange> ofNoAttempt =
        Stream.of(
            new SteerChange.Withdrawn(at, "taken back"),
            new SteerChange.Superseded(steerId(99), at),
            new SteerChange.Expired(at, "too old"),
            new SteerChange.CarriedOut(at, "nothing of it is alive"),
            new SteerChange.Edited(SteerText.of("edited"), at),
            new SteerChange.Promoted(at));
    Stream<SteerChange> ofAttempts =
        IntStream.of(attempts)
            .boxed()
            .flatMap(attempt ->
                Stream.of(
                    new SteerChange.Offered(attempt, SteerMode.STEER, at, "written"),
                    new SteerChange.TurnBrokenOff(attempt, at),
                    new SteerChange.OpenedTurn(attempt, 2, SteerMode.FOLLOW_UP, at),
                    new SteerChange.Accepted(attempt, at, "held"),
                    new SteerChange.Injected(attempt, at, "shown"),
                    new SteerChange.Seen(attempt, at, "request 3"),
                    new SteerChange.Answered(attempt, at, "turn over"),
                    new SteerChange.Returned(attempt, at, "not taken"),
                    new SteerChange.Kept(attempt, at, "resumed"),
                    new SteerChange.Forgotten(attempt, at, "session gone"),
                    new SteerChange.Refused(attempt, at, "would not"),
                    new SteerChange.LostTrack(attempt, at, "died")));
    return Stream.concat(ofAttempts, ofNoAttempt).toList();
  }

  /** Returns the attempt of the change, if it belongs to one. */
  static OptionalInt attempt(SteerChange change) {
    return switch (change) {
      case SteerChange.Handed it -> OptionalInt.of(it.attempt());
      case SteerChange.Offered it -> OptionalInt.of(it.attempt());
      case SteerChange.TurnBrokenOff it -> OptionalInt.of(it.attempt());
      case SteerChange.OpenedTurn it -> OptionalInt.of(it.attempt());
      case SteerChange.Accepted it -> OptionalInt.of(it.attempt());
      case SteerChange.Injected it -> OptionalInt.of(it.attempt());
      case SteerChange.Seen it -> OptionalInt.of(it.attempt());
      case SteerChange.Answered it -> OptionalInt.of(it.attempt());
      case SteerChange.Returned it -> OptionalInt.of(it.attempt());
      case SteerChange.Kept it -> OptionalInt.of(it.attempt());
      case SteerChange.Forgotten it -> OptionalInt.of(it.attempt());
      case SteerChange.Refused it -> OptionalInt.of(it.attempt());
      case SteerChange.LostTrack it -> OptionalInt.of(it.attempt());
      case SteerChange.Withdrawn _,
          SteerChange.Superseded _,
          SteerChange.Expired _,
          SteerChange.CarriedOut _,
          SteerChange.Edited _,
          SteerChange.Promoted _ ->
          OptionalInt.empty();
    };
  }
}
