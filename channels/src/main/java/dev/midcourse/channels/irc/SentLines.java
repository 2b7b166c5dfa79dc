package dev.midcourse.channels.irc;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The newest lines of ours: the id of each and that of the first line of its message, since people
 * may reply to any line. Bounded; it does not outlive the process.
 */
final class SentLines {
  private static final int MAX_LINES = 2_000;

  private final Map<String, String> firstById = new LinkedHashMap<>(); // guarded by this

  synchronized void add(String id, String first) {
    firstById.put(id, first);
    if (firstById.size() > MAX_LINES) {
      firstById.remove(firstById.keySet().iterator().next());
    }
  }

  /** The id of the first line of that message; empty if the line is not known as ours. */
  synchronized String first(String id) {
    return firstById.getOrDefault(id, "");
  }
}
