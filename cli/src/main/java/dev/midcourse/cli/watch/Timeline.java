package dev.midcourse.cli.watch;

import dev.midcourse.cli.client.Times;
import dev.midcourse.cli.screen.Ago;
import dev.midcourse.cli.screen.Clean;
import dev.midcourse.cli.screen.Signs;
import dev.midcourse.cli.screen.Width;
import dev.midcourse.cli.story.Line;
import dev.midcourse.cli.story.Teller;
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
 * The events of a run as entries with the time since it began. In short, a steer is one entry whose
 * ladder fills; in full, every event is an entry with its evidence.
 */
final class Timeline {

  /** Something that happened, or is happening. */
  record Entry(String time, Style style, String text) {}

  private final Signs signs;
  private final Instant began;
  private final Teller teller;
  private final Map<String, Steer> steers = new HashMap<>();
  private final List<Supplier<Entry>> entries = new ArrayList<>();

  private Timeline(Signs signs, Instant began) {
    this.signs = signs;
    this.began = began;
    this.teller = new Teller(signs);
  }

  static List<Entry> inShort(List<JsonValue.Obj> events, Instant began, Signs signs) {
    Timeline timeline = new Timeline(signs, began);
    for (JsonValue.Obj event : events) {
      if (!timeline.steer(event)) {
        timeline.tell(event, false);
      }
    }
    return timeline.told();
  }

  static List<Entry> inFull(List<JsonValue.Obj> events, Instant began, Signs signs) {
    Timeline timeline = new Timeline(signs, began);
    events.forEach(event -> timeline.tell(event, true));
    return timeline.told();
  }

  private List<Entry> told() {
    return entries.stream().map(Supplier::get).toList();
  }

  private void tell(JsonValue.Obj event, boolean details) {
    Optional<Line> line = teller.tell(event);
    if (line.isPresent()
        && !line.get().text().isEmpty()
        && (details || line.get().weight() == Line.Weight.NEWS)) {
      Entry entry = new Entry(time(event), Style.of(line.get().ink()), line.get().text());
      entries.add(() -> entry);
    }
  }

  /** Whether the event belongs to the entry of a steer. */
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
        .flatMap(Times::of)
        .map(at -> Ago.clock(Duration.between(began, at)))
        .orElse("");
  }

  /** A steer as it stands when it is asked for. */
  private final class Steer implements Supplier<Entry> {
    private final String time;
    private final String mode;
    private final Ladder ladder = new Ladder();
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
      String rungs = Width.padded(ladder.signs(signs), Ladder.USUAL_WIDTH);
      String words = signs.arrow() + " " + rungs + "  " + mode + Clean.line(text);
      return new Entry(time, Style.of(ladder.ink()), words);
    }
  }
}
