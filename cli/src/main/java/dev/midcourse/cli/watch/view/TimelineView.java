package dev.midcourse.cli.watch.view;

import dev.midcourse.cli.client.HubTimes;
import dev.midcourse.cli.format.EventFormatter;
import dev.midcourse.cli.format.EventLine;
import dev.midcourse.cli.screen.DisplayWidth;
import dev.midcourse.cli.screen.DurationText;
import dev.midcourse.cli.screen.Glyphs;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The events of a run as entries with the time since its start. In short form, a steer is one entry
 * with its ladder; in full form, every event is an entry with its evidence.
 */
final class TimelineView {

  /** One row group of the timeline. */
  record Entry(String time, Style style, String text) {}

  private final Glyphs glyphs;
  private final Instant began;
  private final EventFormatter formatter;
  private final Map<String, Steer> steers = new HashMap<>();
  private final List<Supplier<Entry>> entries = new ArrayList<>();

  private TimelineView(Glyphs glyphs, Instant began) {
    this.glyphs = glyphs;
    this.began = began;
    this.formatter = new EventFormatter(glyphs);
  }

  static List<Entry> inShort(List<JsonValue.Obj> events, Instant began, Glyphs glyphs) {
    TimelineView timeline = new TimelineView(glyphs, began);
    for (JsonValue.Obj event : events) {
      if (!timeline.steer(event)) {
        timeline.tell(event, false);
      }
    }
    return timeline.toEntries();
  }

  static List<Entry> inFull(List<JsonValue.Obj> events, Instant began, Glyphs glyphs) {
    TimelineView timeline = new TimelineView(glyphs, began);
    events.forEach(event -> timeline.tell(event, true));
    return timeline.toEntries();
  }

  private List<Entry> toEntries() {
    return entries.stream().map(Supplier::get).toList();
  }

  private void tell(JsonValue.Obj event, boolean details) {
    Optional<EventLine> line = formatter.tell(event);
    if (line.isPresent()
        && !line.get().text().isEmpty()
        && (details || line.get().weight() == EventLine.Weight.NEWS)) {
      Entry entry = new Entry(time(event), Style.of(line.get().color()), line.get().text());
      entries.add(() -> entry);
    }
  }

  /** Returns whether the event belongs to the entry of a steer. */
  private boolean steer(JsonValue.Obj event) {
    String id = event.text("steer_id").orElse("");
    String kind = event.text("kind").orElse("");
    if (kind.equals("steer_stored")) {
      Steer steer = new Steer(time(event), event);
      steers.put(id, steer);
      entries.add(steer);
      return true;
    }
    Steer steer = steers.get(id);
    if (steer == null) {
      return false;
    }
    switch (kind) {
      case "steer_raised" -> steer.ladder.claim(event.text("rung").orElse(""));
      case "steer_edited" -> steer.text = event.text("text").orElse(steer.text);
      case "steer_ended" -> steer.ladder.end(event.text("ended").orElse(""));
      default -> {
        return false;
      }
    }
    return true;
  }

  private String time(JsonValue.Obj event) {
    return event
        .text("at")
        .flatMap(HubTimes::of)
        .map(at -> DurationText.clock(Duration.between(began, at)))
        .orElse("");
  }

  /** A steer entry. It shows the rungs that are reached when it is read. */
  private final class Steer implements Supplier<Entry> {
    private final String time;
    private final String mode;
    private final ReceiptLadder ladder = new ReceiptLadder();
    private String text;

    Steer(String time, JsonValue.Obj stored) {
      this.time = time;
      String named = stored.text("mode").orElse("steer");
      this.mode = named.equals("steer") ? "" : named.replace('_', '-') + ": ";
      this.text = stored.text("text").orElse("");
      ladder.claim("stored");
    }

    @Override
    public Entry get() {
      String rungs = DisplayWidth.padded(ladder.signs(glyphs), ReceiptLadder.DEFAULT_WIDTH);
      String words = glyphs.arrow() + " " + rungs + "  " + mode + TextSanitizer.line(text);
      return new Entry(time, Style.of(ladder.ink()), words);
    }
  }
}
