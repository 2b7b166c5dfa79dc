package dev.midcourse.cli.watch.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.watch.WatchFixture;
import dev.midcourse.core.run.AskAnswer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Changes of the model by keys and events, and the requested effects. */
class UpdateTest {
  private static final AskAnswer NO = new AskAnswer.Deny(AskAnswer.DEFAULT_REASON);

  private final WatchFixture view = WatchFixture.morning();

  @Test
  void choosing_a_run_asks_for_its_story_and_forgets_that_of_the_other() {
    view.effects();
    view.press("j");
    assertThat(view.board().chosen()).isEqualTo("日本語-docs");
    assertThat(view.board().about().events()).isEmpty();
    assertThat(view.effects()).contains(new Effect.LoadStory("日本語-docs"));
    view.press(Key.Named.UP).press(Key.Named.UP);
    assertThat(view.board().chosen()).isEqualTo("parser");
  }

  /**
   * Seen to fail when KeyBindings sends the line to the run that is chosen at the time of sending.
   */
  @Test
  void t26_a_line_that_is_typed_is_sent_to_the_run_that_was_chosen_when_it_began() {
    view.press("suse tabz").press(Key.Named.BACKSPACE).press("s");
    view.tell(new Message.Runs(List.of(WatchFixture.run("newer", "running", "\"turn\":1")), 0));
    assertThat(view.board().chosen()).isEqualTo("newer");
    view.effects();
    view.press(Key.Named.ENTER);
    assertThat(view.effects()).containsExactly(new Effect.Steer("parser", "steer", "use tabs"));
    assertThat(view.board().mode()).isEqualTo(ViewMode.BROWSING);
  }

  @Test
  void interrupt_and_follow_up_are_modes_of_their_own() {
    view.effects();
    view.press("istop that").press(Key.Named.ENTER);
    view.press("flater").press(Key.Named.ENTER);
    assertThat(view.effects())
        .containsExactly(
            new Effect.Steer("parser", "interrupt", "stop that"),
            new Effect.Steer("parser", "follow_up", "later"));
  }

  @Test
  void nothing_typed_and_escape_send_nothing() {
    view.effects();
    view.press("s").press(Key.Named.ENTER).press("sno").press(Key.Named.ESCAPE);
    assertThat(view.effects()).isEmpty();
  }

  @Test
  void pasted_text_with_line_ends_is_one_steer_and_no_keys() {
    view.effects();
    view.press("s");
    view.tell(new Message.Pressed(new Key.Paste("one\nq\nx")));
    view.press(Key.Named.ENTER);
    assertThat(view.effects()).containsExactly(new Effect.Steer("parser", "steer", "one\nq\nx"));
  }

  @Test
  void a_run_is_stopped_only_after_a_yes() {
    view.effects();
    view.press("x").press(Key.Named.ENTER);
    assertThat(view.effects()).isEmpty();
    view.press("xy");
    assertThat(view.effects()).containsExactly(new Effect.Stop("parser"));
  }

  @Test
  void a_run_that_has_ended_is_restarted_and_not_steered() {
    view.press("G").effects();
    view.press("s");
    assertThat(view.board().mode()).isEqualTo(ViewMode.BROWSING);
    assertThat(view.board().notice().text()).contains("has ended").contains("press r to restart");
    view.press("r ").press("again").press(Key.Named.ENTER);
    assertThat(view.effects())
        .containsExactly(new Effect.Restart("old-one", Optional.of("try again")));
    view.press("r").press(Key.Named.ENTER);
    assertThat(view.effects()).containsExactly(new Effect.Restart("old-one", Optional.empty()));
  }

  /** Seen to fail without the key d. */
  @Test
  void the_alarm_of_the_selected_run_is_dismissed_with_d() {
    view.press("G").effects();
    view.press("d");
    assertThat(view.effects()).containsExactly(new Effect.Dismiss("old-one"));
  }

  /** Seen to fail when d asked the hub to dismiss an alarm of a run that waits for an answer. */
  @Test
  void d_opens_the_answer_of_a_run_that_asks() {
    view.tell(
        new Message.Asks(
            "parser", List.of(WatchFixture.json("{\"ask\":\"a1\",\"question\":\"Delete?\"}"))));
    view.effects();
    view.press("d");
    assertThat(view.effects()).isEmpty();
    view.press("n");
    assertThat(view.effects()).containsExactly(new Effect.Answer("parser", "a1", NO));
  }

  /** Seen to fail when KeyBindings uses a typed line as the answer to a question of the run. */
  @Test
  void t12_a_question_is_answered_with_two_keys_and_never_by_a_steer() {
    view.tell(
        new Message.Asks(
            "parser", List.of(WatchFixture.json("{\"ask\":\"a1\",\"question\":\"Delete?\"}"))));
    view.effects();
    view.press("sy").press(Key.Named.ENTER);
    assertThat(view.effects()).containsExactly(new Effect.Steer("parser", "steer", "y"));
    view.press("ay");
    assertThat(view.effects())
        .containsExactly(new Effect.Answer("parser", "a1", new AskAnswer.Allow()));
    view.press("an");
    assertThat(view.effects()).containsExactly(new Effect.Answer("parser", "a1", NO));
    view.press("atnot on main").press(Key.Named.ENTER);
    assertThat(view.effects())
        .containsExactly(new Effect.Answer("parser", "a1", new AskAnswer.Deny("not on main")));
    view.press("a").press(Key.Named.ESCAPE);
    assertThat(view.effects()).isEmpty();
  }

  @Test
  void words_answer_a_question_and_only_a_question() {
    view.tell(
        new Message.Asks(
            "parser",
            List.of(
                WatchFixture.json(
                    "{\"ask\":\"a1\",\"kind\":\"question\",\"question\":\"Which?\"}"))));
    view.effects();
    view.press("atyes").press(Key.Named.ENTER);
    assertThat(view.effects())
        .containsExactly(new Effect.Answer("parser", "a1", new AskAnswer.Words("yes")));
  }

  @Test
  void an_answer_waits_until_it_is_known_what_is_asked() {
    view.press("j").press("ay");
    view.effects();
    view.tell(
        new Message.Asks(
            "日本語-docs", List.of(WatchFixture.json("{\"ask\":\"a7\",\"question\":\"Push?\"}"))));
    assertThat(view.effects()).isEmpty();
    view.press("n");
    assertThat(view.effects()).containsExactly(new Effect.Answer("日本語-docs", "a7", NO));
  }

  @Test
  void steers_on_their_way_are_withdrawn_promoted_and_changed() {
    view.steered().effects();
    view.press("pw");
    assertThat(view.effects()).containsExactly(new Effect.Withdraw(WatchFixture.STEER));
    view.press("m");
    assertThat(view.effects()).containsExactly(new Effect.Promote(WatchFixture.STEER));
    view.press("e!").press(Key.Named.ENTER);
    assertThat(view.effects())
        .containsExactly(new Effect.Edit(WatchFixture.STEER, "use tabs, not spaces!"));
  }

  @Test
  void the_notice_of_a_steer_climbs_with_it() {
    view.tell(
        new Message.Sent(
            new ReceiptInfo(
                WatchFixture.json(
                    "{\"steer_id\":\"%s\",\"mode\":\"steer\",\"rungs\":[{\"rung\":\"stored\"}]}"
                        .formatted(WatchFixture.STEER)))));
    view.raise("offered");
    view.raise("accepted");
    assertThat(view.board().notice().text())
        .isEqualTo("steer 8e2f6a0c stored → offered → accepted");
  }

  @Test
  void an_event_that_is_reported_twice_is_shown_once() {
    int before = view.board().about().events().size();
    view.tell(new Message.Story("parser", view.board().about().events()));
    assertThat(view.board().about().events()).hasSize(before);
  }

  @Test
  void history_that_comes_after_live_events_goes_before_them() {
    view.tell(
        new Message.Story(
            "parser", List.of(WatchFixture.json("{\"cursor\":1,\"kind\":\"run_queued\"}"))));
    assertThat(view.board().about().events().getFirst().number("cursor")).hasValue(1L);
  }

  @Test
  void a_run_that_is_not_known_yet_is_asked_for() {
    view.effects();
    view.happens("run_queued", "another", "10:01:00", "\"agent\":\"pi\"");
    assertThat(view.effects()).containsExactly(new Effect.LoadRun("another"));
  }

  @Test
  void the_story_of_another_run_is_not_taken_for_that_of_the_chosen_one() {
    view.press("j");
    view.tell(new Message.Story("parser", List.of(WatchFixture.json("{\"cursor\":1}"))));
    assertThat(view.board().about().events()).isEmpty();
  }

  @Test
  void a_hub_that_is_back_is_asked_for_everything_again() {
    view.tell(new Message.Absence(true));
    assertThat(view.screen(24, 80)).contains("disconnected; reconnecting");
    view.effects();
    view.tell(new Message.Absence(false));
    assertThat(view.effects()).contains(new Effect.LoadRuns(), new Effect.LoadStory("parser"));
    assertThat(view.screen(24, 80))
        .doesNotContain("disconnected")
        .contains("reconnected to the hub");
  }

  @Test
  void a_filter_chooses_among_what_it_leaves_and_escape_shows_all() {
    view.press("/DOCS").press(Key.Named.ENTER);
    assertThat(view.board().chosen()).isEqualTo("日本語-docs");
    assertThat(view.board().visible()).hasSize(1);
    view.press(Key.Named.ESCAPE);
    assertThat(view.board().visible()).hasSize(3);
  }

  @Test
  void text_from_the_editor_is_sent_unless_it_is_empty() {
    view.effects();
    view.press("e");
    Effect.Write write = (Effect.Write) view.effects().getFirst();
    view.tell(new Message.Wrote(write.line(), " "));
    assertThat(view.effects()).isEmpty();
    view.tell(new Message.Wrote(write.line(), "two\nlines"));
    assertThat(view.effects()).containsExactly(new Effect.Steer("parser", "steer", "two\nlines"));
  }

  @Test
  void ctrl_c_leaves_from_every_mode() {
    for (String keys : List.of("", "s", "x", "p", "?", "/")) {
      WatchFixture other = WatchFixture.morning();
      other.effects();
      assertThat(other.press(keys).press(Key.Named.QUIT).effects()).contains(new Effect.Leave());
    }
  }

  @Test
  void what_an_agent_does_is_shown_at_once_and_not_taken_back_by_what_the_hub_kept() {
    view.happens("tool_started", "parser", "10:01:59", "\"tool\":\"sh\",\"summary\":\"git diff\"");
    assertThat(doing()).hasValue("sh: git diff");
    view.tell(
        new Message.Run(
            WatchFixture.run(
                "parser",
                "running",
                """
                "turn":2,"attempt":1,"steers":2,
                "progress":{"tool":"sh","summary":"mvn -q test","at":"2026-11-15T10:01:48Z"}
                """)));
    assertThat(doing()).hasValue("sh: git diff");
    assertThat(view.board().chosenRun().orElseThrow().number("steers")).isEqualTo(2);
    view.happens("said", "parser", "10:02:01", "\"text\":\"All is\\nwell.\"");
    assertThat(doing().orElse("")).startsWith("All is").contains("well.");
  }

  @Test
  void what_the_hub_kept_of_another_attempt_or_of_its_end_counts() {
    view.happens("tool_started", "parser", "10:01:59", "\"tool\":\"sh\",\"summary\":\"git diff\"");
    view.tell(
        new Message.Run(
            WatchFixture.run(
                "parser",
                "running",
                """
                "turn":2,"attempt":2,
                "progress":{"summary":"begins again","at":"2026-11-15T10:01:50Z"}
                """)));
    assertThat(doing()).hasValue("begins again");
  }

  @Test
  void the_story_of_the_chosen_run_tells_what_it_does_since_the_hub_kept_it() {
    view.tell(
        new Message.Story(
            "parser",
            List.of(
                WatchFixture.event(
                    1, "tool_started", "parser", "10:01:40", "\"summary\":\"older\""),
                WatchFixture.event(
                    2, "tool_started", "parser", "10:01:58", "\"summary\":\"newer\""))));
    assertThat(doing()).hasValue("newer");
  }

  private Optional<String> doing() {
    return view.board().chosenRun().orElseThrow().doing();
  }
}
