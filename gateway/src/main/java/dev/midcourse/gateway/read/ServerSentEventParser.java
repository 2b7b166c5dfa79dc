package dev.midcourse.gateway.read;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Splits a stream of server-sent events that arrives in any portions. Comments are left out. Data
 * of an event beyond {@link #MAX_DATA} bytes are dropped. Not thread-safe.
 */
final class ServerSentEventParser {
  static final int MAX_DATA = 8 << 20;

  private static final int MAX_LINE = MAX_DATA + 16;

  private final EventListener listener;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final StringBuilder data = new StringBuilder();
  private String name = "";
  private boolean hasData;
  private boolean afterReturn;

  ServerSentEventParser(EventListener listener) {
    this.listener = listener;
  }

  /** Gets the events. */
  interface EventListener {
    /** An event with its name, which is blank if it has none. */
    void event(String name, String data);
  }

  void read(byte[] bytes, int from, int length) {
    for (int i = from; i < from + length; i++) {
      byte b = bytes[i];
      if (b == '\n' && afterReturn) {
        afterReturn = false;
      } else if (b == '\n' || b == '\r') {
        afterReturn = b == '\r';
        endLine();
      } else {
        afterReturn = false;
        if (line.size() < MAX_LINE) {
          line.write(b);
        }
      }
    }
  }

  private void endLine() {
    String text = line.toString(StandardCharsets.UTF_8);
    line.reset();
    if (text.isEmpty()) {
      if (hasData) {
        listener.event(name, data.toString());
      }
      name = "";
      data.setLength(0);
      hasData = false;
    } else if (text.startsWith("data:")) {
      if (hasData) {
        data.append('\n');
      }
      hasData = true;
      if (data.length() < MAX_DATA) {
        data.append(value(text));
      }
    } else if (text.startsWith("event:")) {
      name = value(text);
    }
  }

  private static String value(String text) {
    int colon = text.indexOf(':');
    boolean space = text.length() > colon + 1 && text.charAt(colon + 1) == ' ';
    return text.substring(colon + (space ? 2 : 1));
  }
}
