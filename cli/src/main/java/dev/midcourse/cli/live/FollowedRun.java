package dev.midcourse.cli.live;

import dev.midcourse.cli.client.EventFeed;
import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.OpenQuestions;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.core.json.JsonValue;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A run and the feed of its events. Detects the end of the run and reports a lost connection to the
 * hub.
 */
public final class FollowedRun implements AutoCloseable {
  private static final int MAX_EARLIER = 200;

  private final HubClient hub;
  private final EventFeed feed;
  private final RunInfo run;
  private final Announcement announcement;
  private final List<JsonValue.Obj> earlier;
  private volatile long processesEnded;
  private volatile String lastSaid = "";

  private FollowedRun(
      HubClient hub,
      EventFeed feed,
      RunInfo run,
      Announcement announcement,
      List<JsonValue.Obj> earlier) {
    this.earlier = List.copyOf(earlier);
    this.hub = hub.withoutNotices();
    this.feed = feed;
    this.run = run;
    this.announcement = announcement;
  }

  /** Follows a new run from its first event. */
  public static FollowedRun fromTheBeginning(HubClient hub, RunInfo run) {
    Announcement announcement = new Announcement();
    EventFeed feed = EventFeed.open(hub, run.id(), Optional.of("0"), "", announcement);
    return new FollowedRun(hub, feed, run, announcement, List.of());
  }

  /**
   * Follows a run from now on, and has its latest events. The feed begins behind the last of them,
   * so that no event is missed or shown twice, and is opened before the run is read.
   */
  public static FollowedRun fromNow(HubClient hub, String id) {
    Announcement announcement = new Announcement();
    String path = "/runs/" + HttpRequest.encoded(id);
    JsonValue.Obj page = hub.get(path + "/events?last=" + MAX_EARLIER);
    EventFeed feed = EventFeed.open(hub, id, page.text("next"), "", announcement);
    RunInfo run = new RunInfo(hub.get(path));
    return new FollowedRun(hub, feed, run, announcement, page.objects("events"));
  }

  /**
   * Returns the events before the first one of {@link #next}, oldest first, at most 200, without
   * those that ask one of these questions.
   */
  List<JsonValue.Obj> earlierWithout(List<JsonValue.Obj> asks) {
    List<String> names = asks.stream().map(ask -> ask.text("ask").orElse("")).toList();
    return earlier.stream()
        .filter(event ->
            !event.text("kind").orElse("").equals("asked")
                || !names.contains(event.text("ask").orElse("")))
        .toList();
  }

  /** Returns the questions that were open when following began; none for a new run. */
  List<JsonValue.Obj> openAsks() {
    return run.waitsFor().isPresent() ? OpenQuestions.open(hub, run.id()) : List.of();
  }

  public RunInfo run() {
    return run;
  }

  HubClient hub() {
    return hub;
  }

  /** Sets the consumer of the messages about a lost and a restored connection. */
  void announceTo(Consumer<String> to) {
    announcement.to = to;
  }

  /** Returns the start of the times that are shown. */
  Instant began(ShellContext shell) {
    return run.at("created_at").orElseGet(() -> shell.clock().instant());
  }

  Optional<JsonValue.Obj> next() throws InterruptedException {
    Optional<JsonValue.Obj> event = feed.next();
    event
        .filter(one -> one.text("kind").orElse("").equals("said"))
        .flatMap(said -> said.text("text"))
        .ifPresent(text -> lastSaid = text);
    return event;
  }

  /** Returns whether this is the last text that the agent said. */
  public boolean printedLast(String words) {
    return lastSaid.strip().equals(words.strip());
  }

  /**
   * Returns whether this event is the end of the run. After a restart, an end event of an earlier
   * attempt does not count.
   */
  boolean ends(JsonValue.Obj event) {
    if (!event.text("kind").orElse("").equals("run_ended")) {
      return false;
    }
    processesEnded = event.number("processes_ended").orElse(0L);
    return !now().live();
  }

  /** Returns the number of processes that were ended with the run. */
  public long processesEnded() {
    return processesEnded;
  }

  /** Reads the current state of the run. */
  public RunInfo now() {
    return new RunInfo(hub.get("/runs/" + HttpRequest.encoded(run.id())));
  }

  @Override
  public void close() {
    feed.close();
  }

  private static final class Announcement implements EventFeed.Absence {
    private volatile Consumer<String> to = text -> {};

    @Override
    public void begins() {
      to.accept("Disconnected from the hub. Agents keep running. Reconnecting");
    }

    @Override
    public void ends() {
      to.accept("Reconnected to the hub");
    }
  }
}
