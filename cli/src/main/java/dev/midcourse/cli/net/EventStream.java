package dev.midcourse.cli.net;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads server-sent events, one at a time. Comments are skipped, several data lines are joined, and
 * an event without its closing blank line is dropped, as the standard requires.
 */
public final class EventStream implements AutoCloseable {
  private static final int MAX_EVENT = 8 * 1024 * 1024;

  /** One event. A later stream can continue after its id. */
  public record Event(String id, String kind, String data) {}

  private final HttpResponse answer;
  private final InputStream body;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream(512);
  private boolean afterCarriageReturn;
  private String id = "";
  private final byte[] buffer = new byte[8 * 1024];
  private int from;
  private int to;

  EventStream(HttpResponse answer) {
    this.answer = answer;
    this.body = answer.body();
  }

  /** Returns the response of the hub. Only a successful response has events. */
  public HttpResponse answer() {
    return answer;
  }

  /** Blocks until the next event; empty at the end of the stream. */
  public Optional<Event> next() throws IOException {
    String kind = "message";
    StringBuilder data = new StringBuilder();
    boolean any = false;
    while (true) {
      Optional<String> read = line();
      if (read.isEmpty()) {
        return Optional.empty();
      }
      String text = read.get();
      if (text.isEmpty()) {
        if (any) {
          return Optional.of(new Event(id, kind, data.toString()));
        }
        kind = "message";
        continue;
      }
      int colon = text.indexOf(':');
      String field = colon < 0 ? text : text.substring(0, colon);
      String value = colon < 0 ? "" : text.substring(colon + 1);
      value = value.startsWith(" ") ? value.substring(1) : value;
      switch (field) {
        case "id" -> id = value;
        case "event" -> kind = value;
        case "data" -> {
          if (any) {
            data.append('\n');
          }
          data.append(value);
          any = true;
        }
        default -> {}
      }
      if (data.length() > MAX_EVENT) {
        throw new IOException("an event is longer than " + MAX_EVENT + " characters");
      }
    }
  }

  /** Closes the stream and ends a waiting {@link #next}. May be called from another thread. */
  @Override
  public void close() throws IOException {
    answer.close();
  }

  /** Reads a line that ends with a line feed, a carriage return, or both. */
  private Optional<String> line() throws IOException {
    line.reset();
    while (true) {
      int b = read();
      if (b < 0) {
        return Optional.empty();
      }
      boolean secondHalf = b == '\n' && afterCarriageReturn;
      afterCarriageReturn = b == '\r';
      if (secondHalf) {
        continue;
      }
      if (b == '\n' || b == '\r') {
        return Optional.of(line.toString(StandardCharsets.UTF_8));
      }
      line.write(b);
      if (line.size() > MAX_EVENT) {
        throw new IOException("a line of an event is longer than " + MAX_EVENT + " bytes");
      }
    }
  }

  private int read() throws IOException {
    if (from == to) {
      from = 0;
      to = Math.max(0, body.read(buffer, 0, buffer.length));
    }
    return from == to ? -1 : buffer[from++] & 0xFF;
  }
}
