package dev.midcourse.hub.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.ledger.Log.LogEntry;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Encodes events as server-sent events. An event that several clients receive is encoded once. */
final class SseEncoder {
  private static final int KEPT = 64;
  private static final int MAX_KEPT = 16 * 1024;

  private final AtomicReferenceArray<@Nullable Frame> kept = new AtomicReferenceArray<>(KEPT);

  private static final class Frame {
    private final long cursor;
    private final byte[] bytes;

    Frame(long cursor, byte[] bytes) {
      this.cursor = cursor;
      this.bytes = bytes;
    }
  }

  /** Returns the events in the format of server-sent events, one after the other. */
  byte[] of(List<LogEntry> entries) {
    if (entries.size() == 1) {
      return of(entries.getFirst());
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    entries.forEach(entry -> all.writeBytes(of(entry)));
    return all.toByteArray();
  }

  private byte[] of(LogEntry entry) {
    int slot = (int) (entry.cursor() % KEPT);
    @Nullable Frame known = kept.get(slot);
    if (known != null && known.cursor == entry.cursor()) {
      return known.bytes;
    }
    byte[] bytes = worded(entry).getBytes(UTF_8);
    if (bytes.length <= MAX_KEPT) {
      kept.set(slot, new Frame(entry.cursor(), bytes));
    }
    return bytes;
  }

  private static String worded(LogEntry entry) {
    StringBuilder out = new StringBuilder();
    out.append("id: ").append(entry.cursor());
    out.append("\nevent: ").append(entry.kind());
    out.append("\ndata: ");
    event(out, entry);
    return out.append("\n\n").toString();
  }

  /** Returns the event as one JSON object: cursor and time, then the fields of its kind. */
  static void event(StringBuilder out, LogEntry entry) {
    out.append("{\"cursor\":").append(entry.cursor());
    out.append(",\"at\":\"").append(entry.at());
    out.append("\",\"run_id\":\"").append(entry.run());
    out.append("\",\"kind\":\"").append(entry.kind()).append('"');
    String own = entry.json();
    out.append(own.equals("{}") ? "}" : "," + own.substring(1));
  }
}
