package dev.midcourse.channels.slack;

import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Slack's limits of blocks. */
final class FakeSlackBlocks {
  private FakeSlackBlocks() {}

  /** Why Slack would refuse the blocks; empty if it would take them. */
  static Optional<String> problem(String json) {
    if (!(JsonReader.read(json) instanceof JsonValue.Arr blocks)) {
      return Optional.of("blocks must be an array");
    }
    if (blocks.values().size() > 50) {
      return Optional.of("no more than 50 items allowed");
    }
    for (JsonValue.Obj block : blocks.objects()) {
      Optional<String> wrong = ofBlock(block);
      if (wrong.isPresent()) {
        return wrong;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> ofBlock(JsonValue.Obj block) {
    return switch (block.string("type").orElse("")) {
      case "header" -> text(block.object("text"), "plain_text", 150);
      case "section" -> text(block.object("text"), "mrkdwn", 3_000);
      case "actions" -> actions(block);
      default -> Optional.of("unsupported type");
    };
  }

  private static Optional<String> text(JsonValue.Obj text, String type, int max) {
    if (!text.string("type").equals(Optional.of(type))) {
      return Optional.of("text must be " + type);
    }
    int length = text.string("text").orElse("").length();
    return length < 1 || length > max
        ? Optional.of("text must have 1 to " + max + " characters")
        : Optional.empty();
  }

  private static Optional<String> actions(JsonValue.Obj block) {
    Set<String> ids = new HashSet<>();
    if (block.objects("elements").size() > 25) {
      return Optional.of("no more than 25 elements allowed");
    }
    for (JsonValue.Obj button : block.objects("elements")) {
      String id = button.string("action_id").orElse("");
      if (id.isEmpty() || id.length() > 255 || !ids.add(id)) {
        return Optional.of("action_id must be unique, of 1 to 255 characters");
      }
      if (button.string("value").orElse("").length() > 2_000) {
        return Optional.of("value must have at most 2000 characters");
      }
      Optional<String> label = text(button.object("text"), "plain_text", 75);
      if (label.isPresent()) {
        return label;
      }
    }
    return Optional.empty();
  }
}
