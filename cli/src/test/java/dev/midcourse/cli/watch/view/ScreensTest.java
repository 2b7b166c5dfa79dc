package dev.midcourse.cli.watch.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.screen.DisplayWidth;
import dev.midcourse.cli.watch.WatchFixture;
import dev.midcourse.cli.watch.model.Key;
import dev.midcourse.cli.watch.model.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares the screens with golden files. {@code -Dmidcourse.golden=write} writes the files. */
class ScreensTest {
  private static final Path GOLDEN = Path.of("src/test/resources/watch");
  private static final boolean WRITE = System.getProperty("midcourse.golden", "").equals("write");

  /** The steps that lead to a screen. */
  enum Scene {
    EMPTY,
    BROWSING,
    STEER_CLIMBS,
    TYPING,
    LOG,
    PENDING,
    ASKED,
    ANSWERING,
    STOPPING,
    FILTER,
    AWAY,
    APPROVALS,
    APPROVING,
    LOOPS,
    LOOP_STEER,
    LOOP_FINDINGS,
    LOOP_SKIP,
    HELP;

    WatchFixture played() {
      WatchFixture view = WatchFixture.morning();
      return switch (this) {
        case EMPTY -> empty();
        case BROWSING -> view;
        case STEER_CLIMBS -> view.steered();
        case TYPING -> view.press("suse tabs 日本");
        case LOG -> view.steered().press(Key.Named.ENTER);
        case PENDING -> view.steered().press("p");
        case ASKED -> asked(view, "permission");
        case ANSWERING -> asked(view, "permission").press("a");
        case STOPPING -> view.press("x");
        case FILTER -> view.press("/docs");
        case AWAY -> away(view);
        case APPROVALS -> view.approvals();
        case APPROVING -> view.approvals().press("j1");
        case LOOPS -> view.loops();
        case LOOP_STEER -> view.loops().press("Suse tabs 日本");
        case LOOP_FINDINGS -> view.loops().press("Fj");
        case LOOP_SKIP -> view.loops().press("K");
        case HELP -> view.press("?");
      };
    }

    private static WatchFixture empty() {
      WatchFixture view = new WatchFixture();
      view.tell(new Message.Runs(List.of(), 0));
      return view;
    }

    private static WatchFixture asked(WatchFixture view, String kind) {
      view.press("j");
      view.tell(
          new Message.Asks(
              "日本語-docs",
              List.of(
                  WatchFixture.json(
                      "{\"ask\":\"a1\",\"kind\":\"%s\",\"question\":\"May I delete build/?\"}"
                          .formatted(kind)))));
      return view;
    }

    private static WatchFixture away(WatchFixture view) {
      view.tell(new Message.Absence(true));
      return view;
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_screen_of_80_by_24_is_as_it_was_agreed(Scene scene) throws IOException {
    compare(scene, 24, 80);
  }

  @ParameterizedTest
  @EnumSource(names = {"BROWSING", "STEER_CLIMBS", "PENDING", "LOOPS"})
  void a_wide_screen_is_as_it_was_agreed(Scene scene) throws IOException {
    compare(scene, 30, 160);
  }

  @ParameterizedTest
  @EnumSource(
      names = {"BROWSING", "STEER_CLIMBS", "HELP", "TYPING", "PENDING", "APPROVALS", "LOOPS"})
  void a_small_screen_is_as_it_was_agreed(Scene scene) throws IOException {
    compare(scene, 15, 60);
  }

  private static void compare(Scene scene, int rows, int columns) throws IOException {
    String screen = scene.played().screen(rows, columns);
    Path golden =
        GOLDEN.resolve(scene.name().toLowerCase(Locale.ROOT) + "-" + columns + "x" + rows + ".txt");
    if (WRITE) {
      Files.createDirectories(GOLDEN);
      Files.writeString(golden, screen);
    }
    assertThat(screen).isEqualTo(Files.readString(golden));
    assertThat(screen.lines()).hasSize(rows).allMatch(line -> DisplayWidth.of(line) <= columns);
  }

  @ParameterizedTest
  @CsvSource({"1,1", "2,500", "500,2", "6,30", "7,31", "5,80", "11,33", "100,400"})
  void any_size_can_be_drawn_in_any_mode(int rows, int columns) {
    for (Scene scene : Scene.values()) {
      Canvas canvas = scene.played().drawn(rows, columns);
      assertThat(canvas.lines()).hasSize(rows).allMatch(line -> DisplayWidth.of(line) <= columns);
    }
  }

  @Test
  void the_tour_shows_a_screen_as_it_is() throws IOException {
    String shown =
        Scene.STEER_CLIMBS
            .played()
            .screen(24, 80)
            .lines()
            .filter(line -> !line.isEmpty())
            .collect(Collectors.joining("\n", "```text\n", "\n```"));
    assertThat(Files.readString(Path.of("../docs/tour.md"))).contains(shown);
  }

  /** Seen to fail when the view offered answers that it ignored until the question was loaded. */
  @Test
  void no_answer_is_offered_before_the_question_is_loaded() {
    assertThat(WatchFixture.morning().press("ja").screen(24, 80))
        .contains("loading the question", "Esc cancel")
        .doesNotContain("y allow", "n deny", "deny with a reason");
  }

  /** Seen to fail when the footer is the same for both kinds of questions. */
  @Test
  void words_deny_a_permission_and_answer_a_question() {
    assertThat(Scene.ANSWERING.played().screen(24, 80))
        .contains("t deny with a reason")
        .doesNotContain("answer in words");
    assertThat(Scene.asked(WatchFixture.morning(), "question").press("a").screen(24, 80))
        .contains("t answer in words")
        .doesNotContain("deny with a reason");
  }

  @Test
  void without_a_request_nobody_waits_to_be_let_in() {
    WatchFixture view = WatchFixture.morning().press("A");
    assertThat(view.screen(24, 80)).contains("loading").doesNotContain("Nobody waits");
    view.tell(new Message.Approvals(List.of()));
    assertThat(view.screen(24, 80))
        .contains(" Approvals ", "Nobody waits to be let in", "Esc back")
        .doesNotContain("decide");
  }

  @Test
  void the_result_of_a_decision_is_shown_on_a_small_screen_too() {
    WatchFixture view = WatchFixture.morning().approvals().press("1y");
    view.tell(new Message.Done("Grace may talk to andy"));
    assertThat(view.screen(24, 80)).contains("Grace may talk to andy", "1-2 decide");
    assertThat(view.screen(8, 40)).contains("Grace may talk to andy");
  }

  @Test
  void a_name_cannot_hide_characters_or_reach_the_next_row() {
    WatchFixture view = WatchFixture.morning().press("A");
    view.tell(
        new Message.Approvals(
            List.of(
                WatchFixture.approval(
                    "p4", "unknown_sender", "A\\u202eda\\n", "\\u001b[2J", "a\\nb", "\"andy\""))));
    for (String keys : List.of("", "1")) {
      assertThat(view.press(keys).screen(24, 80))
          .doesNotContain("\u202e", "\u001b")
          .contains("a b");
    }
  }

  @Test
  void workers_without_a_digit_are_left_to_the_command() {
    WatchFixture view = WatchFixture.morning().press("A");
    String workers =
        IntStream.rangeClosed(1, 10)
            .mapToObj(number -> "\"worker-" + number + "\"")
            .collect(Collectors.joining(","));
    view.tell(
        new Message.Approvals(
            List.of(WatchFixture.approval("p5", "unknown_chat", "Lin", "Lin", "hi", workers))));
    assertThat(view.screen(24, 80))
        .contains("8 worker-8", "9 Ignore", "2 more: midcourse approvals wire p5 WORKER")
        .doesNotContain("worker-9");
  }

  @Test
  void the_rung_climbs_in_place() {
    WatchFixture view = WatchFixture.morning().steered();
    assertThat(view.screen(24, 80)).contains("●●●○○○ accepted  use tabs, not spaces");
    view.raise("injected");
    assertThat(view.screen(24, 80))
        .contains("●●●●○○ injected")
        .doesNotContain("●●●○○○ accepted  use");
  }
}
