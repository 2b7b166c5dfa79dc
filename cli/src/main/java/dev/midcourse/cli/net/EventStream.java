package dev.midcourse.cli.net;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Server-sent events, one at a time. Comments are passed over, data of several lines is joined, and
 * an event that the stream ends within is dropped, as the standard has it.
 */
public final class EventStream implements AutoCloseable {
  private static final int MAX_EVENT = 8 * 1024 * 1024;

  /** One event: the id to go on after, its kind, its data. */
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

  /** How the hub answered; there are events only if it is ok. */
  public HttpResponse answer() {
    return answer;
  }

  /** The next event; nothing when the stream is over. */
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

  /** May be called from another thread; ends a {@link #next} that waits. */
  @Override
  public void close() throws IOException {
    answer.close();
  }

  /** A line that ends with a line feed, a carriage return, or both. */
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
