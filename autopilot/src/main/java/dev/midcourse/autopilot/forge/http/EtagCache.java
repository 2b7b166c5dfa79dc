package dev.midcourse.autopilot.forge.http;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The last answers of a forge that have an ETag, so that the forge need only say that nothing has
 * changed. Bounded: the answers that were not used for the longest time are dropped first.
 */
final class EtagCache {
  private static final int MAX_ENTRIES = 5_000;
  private static final long MAX_BYTES = 64L * 1024 * 1024;
  private static final int MAX_BODY = 4 * 1024 * 1024;

  /** Guarded by this object, in the order of use. */
  private final Map<String, ForgeResponse> answers = new LinkedHashMap<>(64, 0.75f, true);

  private long bytes;

  synchronized Optional<ForgeResponse> get(String address) {
    return Optional.ofNullable(answers.get(address));
  }

  /** Keeps a successful answer with an ETag; forgets what was there before. */
  synchronized void put(String address, ForgeResponse answer) {
    ForgeResponse before = answers.remove(address);
    bytes -= before == null ? 0 : before.size();
    if (answer.status() != 200 || answer.header("ETag").isEmpty() || answer.size() > MAX_BODY) {
      return;
    }
    answers.put(address, answer);
    bytes += answer.size();
    Iterator<ForgeResponse> oldest = answers.values().iterator();
    while ((bytes > MAX_BYTES || answers.size() > MAX_ENTRIES) && oldest.hasNext()) {
      bytes -= oldest.next().size();
      oldest.remove();
    }
  }
}
