package dev.midcourse.core.watch;

import static dev.midcourse.core.Samples.START;
import static dev.midcourse.core.Samples.after;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Seeded;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WatchTest {

  @Nested
  class Progress_that_is_kept {
    private final ProgressPolicy gate = ProgressPolicy.DEFAULT;

    @Test
    void the_first_is_kept_and_so_is_a_new_phase_at_once() {
      assertThat(gate.allows(Optional.empty(), progress("thinking", 0))).isTrue();
      assertThat(gate.allows(Optional.of(progress("thinking", 0)), progress("working", 0)))
          .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0,false", "1,false", "4,false", "5,true", "600,true"})
    void the_same_phase_is_kept_once_in_five_seconds(int seconds, boolean kept) {
      assertThat(gate.allows(Optional.of(progress("thinking", 0)), progress("thinking", seconds)))
          .isEqualTo(kept);
    }

    @Test
    void progress_that_is_held_back_is_allowed_at_its_time() {
      Progress kept = progress("thinking", 10);
      Instant due = gate.opensAfter(kept);
      assertThat(gate.allows(Optional.of(kept), kept.at(due.minusMillis(1)))).isFalse();
      assertThat(gate.allows(Optional.of(kept), kept.at(due))).isTrue();
    }

    @Test
    void a_clock_that_went_back_does_not_silence_a_run() {
      assertThat(gate.allows(Optional.of(progress("thinking", 3_600)), progress("thinking", 0)))
          .isTrue();
    }

    @Test
    void a_summary_is_one_line_and_never_ends_in_half_a_character() {
      assertThat(Progress.line("\n  first \nsecond")).isEqualTo("first");
      assertThat(Progress.line(" \n ")).isEmpty();
      assertThat(Progress.line("x".repeat(200))).hasSize(200).doesNotContain("...");
      assertThat(Progress.line("x".repeat(201))).hasSize(200).endsWith("x...");
      String smiles = Progress.line("\ud83d\ude00".repeat(150));
      assertThat(smiles.codePoints()).noneMatch(c -> Character.getType(c) == Character.SURROGATE);
      assertThat(smiles).endsWith("...").hasSizeBetween(190, 200);
    }

    private static Progress progress(String phase, int seconds) {
      return new Progress(phase, "words", Optional.empty(), 1, after(seconds));
    }
  }

  @Nested
  class Pauses_between_attempts {
    @ParameterizedTest
    @CsvSource({
      "-1,0",
      "0,0",
      "1,5",
      "2,10",
      "3,20",
      "4,40",
      "5,80",
      "6,160",
      "7,300",
      "8,300",
      "99,300",
      "2147483647,300"
    })
    void double_from_five_seconds_up_to_five_minutes(int failures, long seconds) {
      assertThat(RetryPolicy.DEFAULT.pauseAfter(failures)).isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void are_never_longer_than_the_limit_although_the_first_is() {
      RetryPolicy odd = new RetryPolicy(Duration.ofSeconds(9), Duration.ofSeconds(2));

      assertThat(odd.pauseAfter(1)).isEqualTo(Duration.ofSeconds(2));
    }
  }

  @Nested
  class Silence {
    private final StallPolicy stallPolicy = StallPolicy.DEFAULT;

    /** Seen to fail when StallPolicy.look never finds a run stuck. */
    @ParameterizedTest
    @CsvSource({"0,fine", "59,fine", "60,quiet", "1799,quiet", "1800,stuck", "99999,stuck"})
    void t37_without_a_tool_is_quiet_after_a_minute_and_stuck_after_half_an_hour(
        int seconds, String found) {
      assertFound(found, stallPolicy.look(START, List.of(), after(seconds)));
    }

    @ParameterizedTest
    @CsvSource({
      "600,  659,  fine",
      "600,  660,  quiet",
      "600,  1799, quiet",
      "600,  1800, stuck",
      "7200, 7259, fine",
      "7200, 7260, stuck",
      "1800, 1800, fine",
      "1800, 1859, fine",
      "1800, 1860, stuck",
      "1799, 1799, fine"
    })
    void in_a_tool_waits_for_what_the_tool_declared(int declared, int seconds, String found) {
      assertFound(
          found,
          stallPolicy.look(START, tool(START, Duration.ofSeconds(declared)), after(seconds)));
    }

    /** Seen to fail when a tool that declared nothing is allowed no more silence than none. */
    @ParameterizedTest
    @CsvSource({
      "Bash,                  600,  fine",
      "Bash,                  1799, fine",
      "Bash,                  1800, quiet",
      "Bash,                  3599, quiet",
      "Bash,                  3600, stuck",
      "run_shell_command,     1799, fine",
      "RunCommand,            1799, fine",
      "Task,                  1799, fine",
      "Read,                  299,  fine",
      "Read,                  300,  quiet",
      "mcp__tickets__search,  300,  quiet",
      "mcp__tickets__search,  2100, stuck",
      "Multitask,             300,  quiet"
    })
    void in_a_tool_that_declared_nothing_depends_on_the_kind_of_the_tool(
        String name, int seconds, String found) {
      List<StallPolicy.Tool> tool = List.of(new StallPolicy.Tool(name, START, Optional.empty()));

      assertFound(found, stallPolicy.look(START, tool, after(seconds)));
    }

    /** Seen to fail when a tool that declared nothing is allowed no more silence than none. */
    @Test
    void t126_in_several_tools_the_one_that_may_be_silent_longest_counts() {
      List<StallPolicy.Tool> tools =
          List.of(
              new StallPolicy.Tool("Bash", START, Optional.empty()),
              new StallPolicy.Tool("Read", START, Optional.of(Duration.ofSeconds(30))));

      assertFound("fine", stallPolicy.look(START, tools, after(600)));
    }

    /** Seen to fail when StallPolicy.look counts from the last sign alone. */
    @Test
    void t38_counts_from_the_later_of_the_last_sign_and_the_start_of_the_tool() {
      List<StallPolicy.Tool> tool = tool(after(100), Duration.ofSeconds(10));

      assertFound("fine", stallPolicy.look(START, tool, after(169)));
      assertFound("quiet", stallPolicy.look(START, tool, after(170)));
      assertFound("fine", stallPolicy.look(after(150), tool, after(219)));
    }

    @Test
    void is_reported_with_its_length_and_its_tool() {
      assertThat(stallPolicy.look(START, tool(START, Duration.ofSeconds(30)), after(95)))
          .isInstanceOfSatisfying(
              StallPolicy.Assessment.Quiet.class,
              quiet ->
                  assertThat(quiet.reason()).contains("95 s").contains("bash").contains("30 s"));
    }

    /** Seen to fail when StallPolicy.look does not count the declared time. */
    @Test
    void t38_a_tool_is_never_given_up_before_its_declared_time_is_over() {
      Seeded.trials(
          2_000,
          random -> {
            Duration declared = Duration.ofSeconds(random.nextInt(20_000));
            Instant began = after(random.nextInt(100));
            Instant now = began.plusSeconds(random.nextInt(20_000));
            StallPolicy.Assessment found = stallPolicy.look(START, tool(began, declared), now);
            if (!now.isAfter(began.plus(declared))) {
              assertFound("fine", found);
            }
            switch (found) {
              case StallPolicy.Assessment.Fine(Instant again) -> assertThat(again).isAfter(now);
              case StallPolicy.Assessment.Quiet(String _, Instant again) ->
                  assertThat(again).isAfter(now);
              case StallPolicy.Assessment.Stuck _ ->
                  assertThat(now).isAfterOrEqualTo(began.plus(Duration.ofMinutes(30)));
            }
          });
    }

    @Test
    void a_clock_that_went_back_is_not_silence() {
      assertThat(stallPolicy.look(after(7_200), List.of(), START))
          .isEqualTo(new StallPolicy.Assessment.Fine(after(7_260)));
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MIN_VALUE, -1})
    void a_nonsensical_declaration_breaks_nothing(long seconds) {
      List<StallPolicy.Tool> tool = tool(START, Duration.ofSeconds(seconds));

      assertFound("fine", stallPolicy.look(START, tool, after(1)));
      assertFound(seconds < 0 ? "stuck" : "fine", stallPolicy.look(START, tool, after(5_000)));
    }

    private static List<StallPolicy.Tool> tool(Instant since, Duration declared) {
      return List.of(new StallPolicy.Tool("bash", since, Optional.of(declared)));
    }

    private static void assertFound(String expected, StallPolicy.Assessment finding) {
      String found =
          switch (finding) {
            case StallPolicy.Assessment.Fine _ -> "fine";
            case StallPolicy.Assessment.Quiet _ -> "quiet";
            case StallPolicy.Assessment.Stuck _ -> "stuck";
          };
      assertThat(found).as("%s", finding).isEqualTo(expected);
    }
  }
}
