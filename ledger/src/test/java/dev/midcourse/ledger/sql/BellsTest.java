package dev.midcourse.ledger.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.Log.Logged;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BellsTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final RunId MINE = RunId.of("mine");
  private static final RunId OTHER = RunId.of("other");

  private final Bells bells = new Bells();

  /** Seen to fail when every commit rings for everybody. */
  @Test
  void what_happens_to_another_run_wakes_nobody_who_listens_to_this_one() throws Exception {
    try (Bells.Listener mine = bells.listen(Optional.of(MINE));
        Bells.Listener all = bells.listen(Optional.empty())) {
      Bells.Ring forMe = mine.next();
      Bells.Ring forAll = all.next();
      bells.ring(List.of(entry(OTHER)));
      forAll.await(LONG.toNanos());
      assertThat(forAll.rung()).isDone();
      assertThat(forMe.rung()).isNotDone();
      assertThat(mine.next()).isEqualTo(forMe);

      bells.ring(List.of(entry(OTHER), entry(MINE)));
      forMe.await(LONG.toNanos());
      assertThat(forMe.rung()).isDone();
      assertThat(mine.next()).isNotEqualTo(forMe);
    }
  }

  @Test
  void who_comes_when_another_has_left_is_woken_all_the_same() throws Exception {
    bells.listen(Optional.of(MINE)).close();
    try (Bells.Listener first = bells.listen(Optional.of(MINE));
        Bells.Listener second = bells.listen(Optional.of(MINE))) {
      first.close();
      Bells.Ring forMe = second.next();
      bells.ring(List.of(entry(MINE)));
      forMe.await(LONG.toNanos());
      assertThat(forMe.rung()).isDone();
    }
  }

  private static Logged entry(RunId run) {
    return new Logged(1, Instant.EPOCH, run, "said", "{}");
  }
}
