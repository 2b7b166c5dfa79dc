package dev.midcourse.agents.stdio;

import dev.midcourse.core.text.RequestText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Writes the arguments of a tool in the fixed form of {@link RequestText}: each text as it is, not
 * as JSON. The fields that tell most come first.
 */
public final class RequestDetail {
  private static final int MAX_FIELDS = 200;

  /** The pairs of arguments by which agents name the old and the new text of an edit. */
  private static final List<List<String>> CHANGES =
      List.of(
          List.of("old_string", "new_string"),
          List.of("oldString", "newString"),
          List.of("oldText", "newText"),
          List.of("old_str", "new_str"));

  private final Set<String> leftOut;
  private final List<RequestText.Field> fields = new ArrayList<>();
  private int more;

  private RequestDetail(Set<String> leftOut) {
    this.leftOut = leftOut;
  }

  public static String of(JsonNode arguments) {
    return of(arguments, Set.of());
  }

  /** Returns the detail without the fields of these names at the top. */
  public static String of(JsonNode arguments, Set<String> leftOut) {
    RequestDetail detail = new RequestDetail(leftOut);
    detail.add("", arguments);
    if (detail.more > 0) {
      detail.fields.add(new RequestText.Value("not shown", detail.more + " more values"));
    }
    return RequestText.of(detail.fields);
  }

  private void add(String name, JsonNode node) {
    if (node.isObject()) {
      addObject(name, node);
    } else if (node.isArray()) {
      int index = 0;
      for (JsonNode item : node) {
        add(name + "[" + index++ + "]", item);
      }
    } else if (!node.isMissingNode() && !node.isNull()) {
      put(new RequestText.Value(name, node.isString() ? node.asString() : node.toString()));
    }
  }

  private void addObject(String name, JsonNode object) {
    Optional<List<String>> change =
        CHANGES.stream()
            .filter(pair -> pair.stream().allMatch(field -> object.path(field).isString()))
            .findFirst();
    List<String> names = new ArrayList<>(ToolSummary.SUMMARY_FIELDS);
    names.retainAll(object.propertyNames());
    object.propertyNames().stream().filter(field -> !names.contains(field)).forEach(names::add);
    change.ifPresent(names::removeAll);
    for (String field : names) {
      if (!name.isEmpty() || !leftOut.contains(field)) {
        add(path(name, field), object.path(field));
      }
    }
    change.ifPresent(pair ->
        put(
            new RequestText.Change(
                path(name, "change"),
                ProtocolJson.text(object, pair.getFirst()),
                ProtocolJson.text(object, pair.getLast()))));
  }

  private void put(RequestText.Field field) {
    if (fields.size() < MAX_FIELDS) {
      fields.add(field);
    } else {
      more++;
    }
  }

  private static String path(String name, String field) {
    return name.isEmpty() ? field : name + "." + field;
  }
}
