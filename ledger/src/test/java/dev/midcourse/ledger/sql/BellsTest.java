package dev.midcourse.ledger.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.Log.Filter;
import dev.midcourse.ledger.Log.Logged;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BellsTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final RunId MINE = RunId.of("mine");
  private static final RunId OTHER = RunId.of("other");

  private final Bells bells = new Bells();

  /** Seen to fail when every commit rings for everybody. */
  @Test
  void what_happens_to_another_run_wakes_nobody_who_listens_to_this_one() throws Exception {
    try (Bells.Listener mine = bells.listen(Filter.of(MINE));
        Bells.Listener all = bells.listen(Filter.ALL)) {
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
    bells.listen(Filter.of(MINE)).close();
    try (Bells.Listener first = bells.listen(Filter.of(MINE));
        Bells.Listener second = bells.listen(Filter.of(MINE))) {
      first.close();
      Bells.Ring forMe = second.next();
      bells.ring(List.of(entry(MINE)));
      forMe.await(LONG.toNanos());
      assertThat(forMe.rung()).isDone();
    }
  }

  /** Seen to fail when whoever listens to all runs is woken by every entry. */
  @Test
  void what_nobody_asked_for_wakes_nobody_who_listens_to_other_kinds() throws Exception {
    Filter ends = new Filter(Optional.empty(), Set.of("run_ended"));
    Filter words = new Filter(Optional.empty(), Set.of("said", "run_ended"));
    try (Bells.Listener toEnds = bells.listen(ends);
        Bells.Listener toWords = bells.listen(words)) {
      Bells.Ring anEnd = toEnds.next();
      Bells.Ring aWord = toWords.next();
      bells.ring(List.of(entry(MINE)));
      aWord.await(LONG.toNanos());
      assertThat(aWord.rung()).isDone();
      assertThat(anEnd.rung()).isNotDone();
      assertThat(toEnds.next()).isEqualTo(anEnd);

      bells.ring();
      anEnd.await(LONG.toNanos());
      assertThat(anEnd.rung()).as("what other hosts did may be of any kind").isDone();
    }
  }

  /** Seen to fail when our own entry wakes only those who listen to its kind. */
  @Test
  void what_another_host_committed_just_before_us_wakes_those_who_wait_for_it() throws Exception {
    Tail tail = new Tail(9);
    try (Bells.Listener toSteers =
        tail.listen(new Filter(Optional.empty(), Set.of("steer_stored")))) {
      Bells.Ring aSteer = toSteers.next();
      List<Logged> ours = List.of(new Logged(11, Instant.EPOCH, MINE, "said", "{}"));
      assertThat(tail.take(ours)).isTrue();
      tail.tell(ours);
      aSteer.await(LONG.toNanos());
      assertThat(aSteer.rung()).as("entry 10 may be a steer").isDone();
    }
  }

  private static Logged entry(RunId run) {
    return new Logged(1, Instant.EPOCH, run, "said", "{}");
  }
}
