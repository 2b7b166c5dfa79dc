package dev.midcourse.core.loop;

import static dev.midcourse.core.loop.LoopTrial.finding;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The commits between which a loop and its calls have changed code. */
class LoopChangesTest {
  @Test
  void a_call_has_the_changes_since_the_commit_before_it() {
    LoopTrial trial = LoopTrial.created();
    assertThat(trial.loop.changes()).isEmpty();
    trial.prepared();
    assertThat(trial.loop.changesOf(1)).isEmpty();
    trial.works();
    String first = trial.head();
    assertThat(trial.loop.changesOf(1)).hasValue(new CommitRange(LoopTrial.BASE, first));
    trial.green().finds(finding("a")).works();
    String second = trial.head();
    int fix = trial.loop.lastWork().orElseThrow().number();
    assertThat(trial.loop.changesOf(fix)).hasValue(new CommitRange(first, second));
    assertThat(trial.loop.changes()).hasValue(new CommitRange(LoopTrial.BASE, second));
  }

  @Test
  void a_call_that_looks_at_a_commit_and_an_unknown_call_have_no_changes() {
    LoopTrial trial = LoopTrial.checking();
    int look = trial.loop.openCalls().getFirst().number();
    assertThat(trial.loop.changesOf(look)).isEmpty();
    assertThat(trial.loop.changesOf(99)).isEmpty();
  }
}
