package dev.midcourse.proof.model.wire.shape;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Finds faults that Gemini refuses in its contents: function calls that the next content does not
 * answer one for one; answers without a call; calls that follow neither a user message nor an
 * answer; content without parts; empty parts.
 */
public final class GeminiShape {
  private final List<String> faults = new ArrayList<>();
  private List<String> called = List.of();
  private String role = "";

  private GeminiShape() {}

  public static List<String> faults(JsonNode body) {
    var shape = new GeminiShape();
    var contents = body.path("contents");
    if (contents.isEmpty()) {
      shape.faults.add("there are no contents");
    }
    for (int i = 0; i < contents.size(); i++) {
      shape.read(i, contents.get(i));
    }
    shape.answered("the end", List.of());
    return List.copyOf(shape.faults);
  }

  private void read(int number, JsonNode content) {
    var parts = content.path("parts");
    if (parts.isEmpty()) {
      faults.add("content " + number + " has no parts");
    }
    for (var part : parts) {
      if (part.isEmpty() || (part.size() == 1 && part.path("text").asString("x").isEmpty())) {
        faults.add("content " + number + " has an empty part");
      }
    }
    answered("content " + number, names(parts, "functionResponse"));
    called = names(parts, "functionCall");
    if (!called.isEmpty() && !role.equals("user")) {
      faults.add("content " + number + " calls " + called + ", and no user is before it");
    }
    role = content.path("role").asString("user");
  }

  private void answered(String where, List<String> answers) {
    if (!answers.equals(called)) {
      faults.add(where + " answers " + answers + " where the model had called " + called);
    }
    called = List.of();
  }

  private static List<String> names(JsonNode parts, String kind) {
    return parts
        .valueStream()
        .filter(part -> part.has(kind))
        .map(part -> part.path(kind).path("name").asString(""))
        .sorted()
        .toList();
  }
}
