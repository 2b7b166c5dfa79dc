package dev.midcourse.cli.watch.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.screen.Glyphs;
import dev.midcourse.cli.watch.WatchFixture;
import dev.midcourse.cli.watch.view.Canvas;
import dev.midcourse.cli.watch.view.Screen;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The selection of the view when there are more runs than it can hold. */
class RunSelectionTest {
  private static final int LIVE = 10_000;
  private static final RunInfo ASKS =
      WatchFixture.run(
          "oldest",
          "running",
          "\"turn\":1,\"needs\":\"asks permission\",\"created_at\":\"2026-01-01T00:00:00Z\"");

  private final RunSelection shortlist = new RunSelection();

  private static List<RunInfo> running(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i ->
            WatchFixture.run(
                "run-%05d".formatted(i),
                "running",
                "\"turn\":1,\"created_at\":\"2026-11-15T%02d:%02d:00Z\""
                    .formatted(23 - i / 60 % 24, 59 - i % 60)))
        .toList();
  }

  /** Would fail when only the newest runs were kept. */
  @Test
  void the_oldest_of_ten_thousand_runs_is_shown_when_it_needs_attention() {
    for (int from = 0; from < LIVE; from += 500) {
      shortlist.addNotOver(running(from, from + 500));
    }
    shortlist.addNotOver(List.of(ASKS));

    assertThat(shortlist.runs()).hasSize(Model.MAX_RUNS).contains(ASKS);
    assertThat(shortlist.runs()).extracting(RunInfo::id).contains("run-00000", "run-00998");
    assertThat(shortlist.more()).isEqualTo(LIVE + 1 - Model.MAX_RUNS);
  }

  @Test
  void the_screen_counts_the_hidden_runs_and_those_that_need_attention() {
    shortlist.addNotOver(running(0, LIVE));
    shortlist.addNotOver(List.of(ASKS));
    WatchFixture view = new WatchFixture();
    view.tell(new Message.Runs(shortlist.runs(), shortlist.more()));

    Canvas screen = new Screen(Glyphs.UNICODE).draw(view.board(), 24, 80, WatchFixture.NOW);
    assertThat(screen.lines().getFirst())
        .contains("1000 running · 9,001 more not shown · 1 needs attention");
  }

  @Test
  void a_later_run_does_not_displace_a_run_that_needs_attention() {
    shortlist.addNotOver(running(1, LIVE));
    shortlist.addNotOver(List.of(ASKS));
    WatchFixture view = new WatchFixture();
    view.tell(new Message.Runs(shortlist.runs(), shortlist.more()));
    view.tell(new Message.Run(running(0, 1).getFirst()));

    assertThat(view.board().runs()).hasSize(Model.MAX_RUNS).contains(ASKS);
    assertThat(view.board().run("run-00000")).isPresent();
  }

  @Test
  void runs_that_are_over_are_not_counted_as_left_out() {
    shortlist.addNotOver(List.of(ASKS));
    shortlist.add(List.of(ASKS, WatchFixture.run("over", "done", "\"turn\":1")));

    assertThat(shortlist.runs()).hasSize(2);
    assertThat(shortlist.more()).isZero();
  }
}
