package dev.midcourse.cli.live;

import dev.midcourse.cli.client.EventFeed;
import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.core.json.JsonValue;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** A run and the ear on its events; knows when it has ended, and says when the hub is away. */
public final class FollowedRun implements AutoCloseable {
  private final HubClient hub;
  private final EventFeed feed;
  private final RunInfo run;
  private final Announcement announcement;
  private volatile long processesEnded;
  private volatile String lastSaid = "";

  private FollowedRun(HubClient hub, EventFeed feed, RunInfo run, Announcement announcement) {
    this.hub = hub;
    this.feed = feed;
    this.run = run;
    this.announcement = announcement;
  }

  /** From the beginning of a run that was just made. */
  public static FollowedRun fromTheBeginning(HubClient hub, RunInfo run) {
    Announcement announcement = new Announcement();
    EventFeed feed = EventFeed.open(hub, run.id(), Optional.of("0"), "", announcement);
    return new FollowedRun(hub, feed, run, announcement);
  }

  /** From now on. What is known of the run is asked for only when everything later is heard. */
  public static FollowedRun fromNow(HubClient hub, String id) {
    Announcement announcement = new Announcement();
    EventFeed feed = EventFeed.open(hub, id, Optional.empty(), "", announcement);
    RunInfo run = new RunInfo(hub.get("/runs/" + HttpRequest.encoded(id)));
    return new FollowedRun(hub, feed, run, announcement);
  }

  public RunInfo run() {
    return run;
  }

  HubClient hub() {
    return hub;
  }

  /** Where to say that the hub is away, and that it is back. */
  void announceTo(Consumer<String> to) {
    announcement.to = to;
  }

  /** When the times that are shown begin. */
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

  /** Whether these are the words that were heard last. */
  public boolean heardLast(String words) {
    return lastSaid.strip().equals(words.strip());
  }

  /** Whether this event is the run's end and not that of an earlier life of it. */
  boolean ends(JsonValue.Obj event) {
    if (!event.text("kind").orElse("").equals("run_ended")) {
      return false;
    }
    processesEnded = event.number("processes_ended").orElse(0L);
    return !now().live();
  }

  /** How many processes had to be ended with the run. */
  public long processesEnded() {
    return processesEnded;
  }

  /** The run as it is now. */
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
