package dev.midcourse.autopilot.forge.http;

import dev.midcourse.core.json.JsonValue;
import java.util.List;
import java.util.Optional;

/**
 * The items of a list that comes in pages.
 *
 * @param incomplete why there are more items than these; empty if these are all
 */
public record ForgePages(List<JsonValue.Obj> items, Optional<String> incomplete) {
  public ForgePages {
    items = List.copyOf(items);
  }
}
