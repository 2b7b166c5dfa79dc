package dev.midcourse.cli.watch.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.watch.WatchFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The list of autopilot loops in the full-screen view. */
class LoopKeysTest {
  private final WatchFixture view = WatchFixture.morning();

  @Test
  void the_loops_are_loaded_when_their_list_opens_and_when_one_moves() {
    view.effects();
    view.press("l");
    assertThat(view.effects()).containsExactly(new Effect.LoadLoops());
    view.happens("loop_moved", "fix-login", "10:02:00", "\"phase\":\"check\",\"text\":\"x\"");
    assertThat(view.effects()).containsExactly(new Effect.LoadLoops());
    view.press(Key.Named.ESCAPE);
    assertThat(view.board().mode()).isEqualTo(ViewMode.BROWSING);
  }

  /** Seen to fail when a loop is loaded as a run, which the hub does not know. */
  @Test
  void a_loop_that_asks_is_told_among_the_runs_and_loads_no_run() {
    view.effects();
    view.happens(
        "loop_moved", "fix-login", "10:02:00", "\"phase\":\"parked\",\"text\":\"parked (budget)\"");
    assertThat(view.effects()).isEmpty();
    assertThat(view.board().notice().text()).isEqualTo("loop fix-login parked (budget)");
  }

  @ParameterizedTest
  @CsvSource({
    "s, now, 'steer, held for fix 2'",
    "S, standing, 'standing, held for every call from the next on'",
    "N, next, 'next, held for fix 2'"
  })
  void a_steer_says_where_it_will_go_before_it_is_sent(String key, String scope, String label) {
    view.loops().press(key);
    ViewMode.Line line = (ViewMode.Line) view.board().mode();
    assertThat(line.purpose().label()).isEqualTo(label);
    view.effects();
    view.press("keep it").press(Key.Named.ENTER);
    assertThat(view.effects())
        .containsExactly(
            new Effect.SteerLoop("fix-login", scope, "keep it"), new Effect.LoadLoops());
    assertThat(view.board().mode()).isInstanceOf(ViewMode.Loops.class);
  }

  @ParameterizedTest
  @CsvSource({"Ky, skip", "Ly, land", "xy, stop"})
  void a_yes_confirms_an_order(String keys, String order) {
    view.loops().effects();
    view.press(keys);
    assertThat(view.effects())
        .containsExactly(new Effect.OrderLoop("fix-login", order), new Effect.LoadLoops());
  }

  @ParameterizedTest
  @CsvSource({"Kn", "L ", "xx", "y"})
  void without_a_yes_nothing_is_ordered(String keys) {
    view.loops().effects();
    view.press(keys);
    assertThat(view.effects()).isEmpty();
  }

  @Test
  void a_parked_loop_goes_on_and_with_a_budget_it_is_asked_how_much_more() {
    view.loops().effects();
    view.press("c").press(Key.Named.ENTER);
    assertThat(view.effects())
        .containsExactly(new Effect.GoOn("fix-login", 3), new Effect.LoadLoops());
    view.press("jc");
    assertThat(view.effects()).isEmpty();
    assertThat(view.board().notice().text()).isEqualTo("write-docs is not parked");
  }

  @Test
  void a_finding_is_dropped_with_a_reason_and_upheld() {
    view.loops().effects();
    view.press("Fjd");
    view.press("the test is wrong").press(Key.Named.ENTER);
    assertThat(view.effects())
        .containsExactly(
            new Effect.DecideFinding("fix-login", "F2", "drop", "the test is wrong"),
            new Effect.LoadLoops());
    view.press("u").press(Key.Named.ESCAPE);
    assertThat(view.effects()).isEmpty();
    assertThat(((ViewMode.Loops) view.board().mode()).findings()).isTrue();
    view.press(Key.Named.ESCAPE).press(Key.Named.ESCAPE);
    assertThat(view.board().mode()).isEqualTo(ViewMode.BROWSING);
  }

  @Test
  void the_editor_is_opened_for_a_long_steer_and_the_change_for_its_link() {
    view.loops().effects();
    view.press("e");
    assertThat(view.effects()).singleElement().isInstanceOf(Effect.Write.class);
    view.press("o");
    assertThat(view.effects()).containsExactly(new Effect.OpenLink("https://forge.test/7"));
    view.press("jo");
    assertThat(view.board().notice().text()).isEqualTo("write-docs has no change in a forge");
  }

  @Test
  void a_loop_that_has_ended_is_not_steered_but_restarted() {
    view.loops().press("jjs");
    assertThat(view.board().notice().text()).contains("is done; press r to restart it");
    view.effects();
    view.press("r").press("!").press(Key.Named.ENTER);
    assertThat(view.effects())
        .containsExactly(new Effect.RewordLoop("old-loop", "Tidy up!"), new Effect.LoadLoops());
  }

  @Test
  void the_selected_loop_stays_selected_when_others_come() {
    view.loops().press("j");
    view.loopsAgain();
    assertThat(((ViewMode.Loops) view.board().mode()).selected().orElseThrow().id())
        .isEqualTo("write-docs");
  }

  @Test
  void enter_shows_the_newest_run_of_the_loop() {
    view.loops().effects();
    view.press(Key.Named.ENTER);
    assertThat(view.board().mode()).isEqualTo(ViewMode.BROWSING);
    assertThat(view.effects()).contains(new Effect.LoadStory("fix-login-3-fix"));
  }
}
