package dev.midcourse.engine.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.Said;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.engine.EngineFixture;
import dev.midcourse.engine.ManualClock;
import dev.midcourse.engine.ScriptedAgent;
import dev.midcourse.ledger.Log;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the log has of an agent that says much, and of one that says too much. */
class TranscriptThrottleTest {
  private static final Pattern LEFT_OUT = Pattern.compile("omitted: (\\d+) messages with (\\d+)");
  private static final int LONG = 10_000;

  private final ManualClock clock = new ManualClock();
  private ScriptedAgent puppet;
  private EngineFixture fixture;
  private Run run;

  @BeforeEach
  void open(@TempDir Path folder) {
    puppet = new ScriptedAgent();
    fixture = new EngineFixture(folder, puppet, clock, StallPolicy.DEFAULT);
    run = puppet.running(fixture, "build it");
    clock.stop(); // else a slow machine would let more through
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void says(int times, AgentEvent event) {
    for (int i = 0; i < times; i += 100) {
      puppet.says(Collections.nCopies(100, event).toArray(AgentEvent[]::new));
    }
  }

  private List<Log.LogEntry> log(String kind) {
    return fixture.ledger.log().after(0, Log.Filter.of(run.id()), 100_000).entries().stream()
        .filter(entry -> entry.kind().equals(kind))
        .toList();
  }

  /** Returns the sum over all gaps of one of the two figures of a gap. */
  private long leftOut(int figure) {
    long sum = 0;
    for (Log.LogEntry noted : log("noted")) {
      Matcher gap = LEFT_OUT.matcher(noted.json());
      sum += gap.find() ? Long.parseLong(gap.group(figure)) : 0;
    }
    return sum;
  }

  @Test
  void an_agent_that_says_much_is_kept_word_for_word() {
    says(3_000, new Said("a line that somebody may want to read"));
    puppet.ends("built");
    fixture.awaitState(run.id(), RunState.DONE);
    assertThat(log("said")).hasSize(3_000);
    assertThat(log("noted")).isEmpty();
  }

  /** Seen to fail when TranscriptThrottle keeps everything. */
  @Test
  void of_a_flood_the_log_has_a_part_and_how_much_was_left_out() {
    says(1_500, new Said("x".repeat(LONG)));
    puppet.ends("built");
    fixture.awaitState(run.id(), RunState.DONE);
    assertThat(log("noted").getFirst().json()).contains("too much output");
    assertThat(log("said")).hasSizeBetween(500, 1_400);
    assertThat(log("said").size() + leftOut(1)).isEqualTo(1_500);
    assertThat(leftOut(2)).isEqualTo(LONG * leftOut(1));
    assertThat(log("turn_ended")).hasSize(1);
  }

  @Test
  void garbage_does_not_flood_the_log_either() {
    says(1_500, new AgentEvent.Garbage("x".repeat(LONG), LONG));
    puppet.ends("built");
    fixture.awaitState(run.id(), RunState.DONE);
    assertThat(log("garbage")).hasSizeBetween(500, 1_400);
    assertThat(log("garbage").size() + leftOut(1)).isEqualTo(1_500);
  }

  @Test
  void an_agent_that_has_calmed_down_is_kept_again() {
    says(1_000, new Said("x".repeat(LONG)));
    await().until(() -> !log("noted").isEmpty());
    clock.move(Duration.ofMinutes(1));
    puppet.says(new Said("calm again"));
    await().until(() -> log("said").getLast().json().contains("calm again"));
    assertThat(log("said").size() + leftOut(1)).isEqualTo(1_001);
  }

  @Test
  void a_clock_that_went_back_does_not_silence_an_agent() {
    says(1_000, new Said("x".repeat(LONG)));
    await().until(() -> !log("noted").isEmpty());
    clock.move(Duration.ofDays(-1));
    puppet.says(new Said("a"));
    clock.move(Duration.ofMinutes(1));
    puppet.says(new Said("calm again"));
    await().until(() -> log("said").getLast().json().contains("calm again"));
  }
}
