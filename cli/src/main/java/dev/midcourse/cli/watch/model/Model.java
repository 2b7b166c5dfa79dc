package dev.midcourse.cli.watch.model;

import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.format.RunStatusText;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.core.json.JsonValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The state of the full-screen view. Immutable: a message leads to a new model.
 *
 * @param chosen the id of the run that is looked at; blank if there is none
 * @param about what is known of that run beside its row
 * @param loaded whether the runs have been asked for once
 * @param more how many runs that are not over there were besides these, when they were asked for
 */
public record Model(
    List<RunInfo> runs,
    String chosen,
    About about,
    String filter,
    ViewMode mode,
    Notice notice,
    boolean away,
    boolean loaded,
    long more) {
  public static final int MAX_RUNS = 1000;

  public static final Model EMPTY =
      new Model(List.of(), "", About.NOTHING, "", ViewMode.BROWSING, Notice.NONE, false, false, 0);

  /** The events, steers and open questions of the chosen run. */
  public record About(
      List<JsonValue.Obj> events, List<ReceiptInfo> steers, List<JsonValue.Obj> asks) {
    public static final int MAX_EVENTS = 1000;
    static final About NOTHING = new About(List.of(), List.of(), List.of());

    public About {
      events = List.copyOf(events);
      steers = List.copyOf(steers);
      asks = List.copyOf(asks);
    }

    /** Returns a copy with more events, each once and in order. */
    About with(List<JsonValue.Obj> more) {
      long newest = events.isEmpty() ? -1 : cursor(events.getLast());
      List<JsonValue.Obj> all = new ArrayList<>(events);
      if (more.stream().allMatch(event -> cursor(event) > newest)) {
        all.addAll(more);
      } else {
        List<Long> known = events.stream().map(About::cursor).toList();
        more.stream().filter(event -> !known.contains(cursor(event))).forEach(all::add);
        all.sort(Comparator.comparingLong(About::cursor));
      }
      int from = Math.max(0, all.size() - MAX_EVENTS);
      return new About(all.subList(from, all.size()), steers, asks);
    }

    private static long cursor(JsonValue.Obj event) {
      return event.number("cursor").orElse(0L);
    }

    public List<ReceiptInfo> open() {
      return steers.stream().filter(steer -> !steer.ended()).toList();
    }
  }

  /**
   * A message for the user.
   *
   * @param steer the steer it tells of, whose next rungs are added; blank for none
   */
  public record Notice(TextColor color, String text, String steer) {
    static final Notice NONE = new Notice(TextColor.PLAIN, "", "");
  }

  public Model {
    runs = List.copyOf(runs);
  }

  /**
   * Returns the runs that match the filter: runs that are not over first, then the others; the
   * latest change first.
   */
  public List<RunInfo> visible() {
    String wanted = filter.toLowerCase(Locale.ROOT);
    return runs.stream().filter(run -> wanted.isEmpty() || matches(run, wanted)).toList();
  }

  private static boolean matches(RunInfo run, String wanted) {
    String all =
        String.join(
            "\n",
            run.id(),
            run.state(),
            run.agent(),
            run.worker(),
            run.prompt(),
            RunStatusText.doing(run, Instant.EPOCH),
            run.text("needs").orElse(""));
    return all.toLowerCase(Locale.ROOT).contains(wanted);
  }

  Optional<RunInfo> run(String id) {
    return runs.stream().filter(run -> run.id().equals(id)).findFirst();
  }

  public Optional<RunInfo> chosenRun() {
    return run(chosen);
  }

  Model withRuns(List<RunInfo> all) {
    List<RunInfo> sorted = new ArrayList<>(all);
    if (sorted.size() > MAX_RUNS) {
      sorted.sort(NEEDED_FIRST);
      sorted.subList(MAX_RUNS, sorted.size()).clear();
    }
    sorted.sort(ORDER);
    return new Model(sorted, chosen, about, filter, mode, notice, away, true, more);
  }

  private static final Comparator<RunInfo> ORDER =
      Comparator.<RunInfo>comparingInt(run -> isOver(run) ? 1 : 0)
          .thenComparing(Model::lastChange, Comparator.reverseOrder())
          .thenComparing(RunInfo::id);

  /** The order in which runs are kept if there are more than MAX_RUNS. */
  private static final Comparator<RunInfo> NEEDED_FIRST =
      Comparator.<RunInfo>comparingInt(run -> run.text("needs").isPresent() ? 0 : 1)
          .thenComparing(ORDER);

  private static Instant lastChange(RunInfo run) {
    return run.at(isOver(run) ? "ended_at" : "created_at").orElse(Instant.EPOCH);
  }

  /** Returns whether the run has ended. A run that waits for a review is not over. */
  static boolean isOver(RunInfo run) {
    return !run.live() && !run.state().equals("review_requested");
  }

  /** Returns a copy with this run, which replaces an older version of it. */
  Model with(RunInfo run) {
    List<RunInfo> all = new ArrayList<>(runs);
    all.removeIf(old -> old.id().equals(run.id()));
    all.add(run);
    return withRuns(all);
  }

  Model choosing(String id) {
    return new Model(runs, id, About.NOTHING, filter, mode, notice, away, loaded, more);
  }

  Model with(About known) {
    return new Model(runs, chosen, known, filter, mode, notice, away, loaded, more);
  }

  Model withFilter(String text) {
    return new Model(runs, chosen, about, text, mode, notice, away, loaded, more);
  }

  Model in(ViewMode next) {
    return new Model(runs, chosen, about, filter, next, notice, away, loaded, more);
  }

  Model saying(Notice next) {
    return new Model(runs, chosen, about, filter, mode, next, away, loaded, more);
  }

  Model saying(TextColor color, String text) {
    return saying(new Notice(color, text, ""));
  }

  Model withAway(boolean yes) {
    return new Model(runs, chosen, about, filter, mode, notice, yes, loaded, more);
  }

  Model withMore(long others) {
    return new Model(runs, chosen, about, filter, mode, notice, away, loaded, others);
  }
}
