package dev.midcourse.cli.client;

import dev.midcourse.cli.net.EventStream;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.util.Optional;

/**
 * The events of a run, or of all, each once and in order, whatever happens to the connection or the
 * hub: it goes on after the last one it gave. Agents outlive the hub, so a hub that is away is
 * waited for.
 */
public final class EventFeed implements AutoCloseable {

  /** Told when the hub goes away and when it is back. */
  public interface Absence {
    void begins();

    void ends();

    Absence IGNORED =
        new Absence() {
          @Override
          public void begins() {}

          @Override
          public void ends() {}
        };
  }

  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long MAX_PAUSE_MILLIS = 1000;

  private final HubClient hub;
  private final String path;
  private final Absence absence;
  private Optional<String> last;

  /** Guarded by this: closing happens on another thread than reading. */
  private EventStream stream;

  private boolean closed;

  private EventFeed(
      HubClient hub, String path, Optional<String> last, Absence absence, EventStream stream) {
    this.hub = hub;
    this.path = path;
    this.last = last;
    this.absence = absence;
    this.stream = stream;
  }

  /**
   * Listens from now on, or from after a cursor. When this returns, whatever happens is heard.
   *
   * @param kinds kinds with commas between them; blank for all
   */
  public static EventFeed open(
      HubClient hub, String run, Optional<String> after, String kinds, Absence absence) {
    StringBuilder path = new StringBuilder("/events?run=").append(HttpRequest.encoded(run));
    if (!kinds.isEmpty()) {
      path.append("&kind=").append(HttpRequest.encoded(kinds));
    }
    String first =
        after.isPresent() ? path + "&after=" + HttpRequest.encoded(after.get()) : path.toString();
    return open(hub, first, path.toString(), after, absence);
  }

  /** Listens to the events of all runs from now on. */
  public static EventFeed ofAll(HubClient hub, Absence absence) {
    return open(hub, "/events", "/events", Optional.empty(), absence);
  }

  private static EventFeed open(
      HubClient hub, String first, String again, Optional<String> after, Absence absence) {
    try {
      EventStream stream = hub.listen(first, Optional.empty());
      return new EventFeed(hub, again, after, absence, stream);
    } catch (IOException e) {
      throw hub.absent().because(e);
    }
  }

  /** The next event; nothing when the feed was closed. */
  public Optional<JsonValue.Obj> next() throws InterruptedException {
    while (true) {
      EventStream from = current();
      if (isClosed()) {
        return Optional.empty();
      }
      try {
        Optional<EventStream.Event> event = from.next();
        if (event.isPresent()) {
          last = Optional.of(event.get().id());
          return Optional.of(JsonReader.readObject(event.get().data()));
        }
      } catch (IOException e) {
        // Broken off: the same as ended.
      } catch (JsonException e) {
        throw new IllegalStateException("an event cannot be read", e);
      }
      if (isClosed() || !reconnect()) {
        return Optional.empty();
      }
    }
  }

  private boolean reconnect() throws InterruptedException {
    absence.begins();
    long pause = FIRST_PAUSE_MILLIS;
    while (!isClosed()) {
      Thread.sleep(pause);
      pause = Math.min(MAX_PAUSE_MILLIS, pause * 2);
      try {
        replace(hub.listen(path, last));
        absence.ends();
        return true;
      } catch (IOException e) {
        // Not back yet.
      }
    }
    return false;
  }

  private synchronized EventStream current() {
    return stream;
  }

  private synchronized void replace(EventStream next) throws IOException {
    stream.close();
    stream = next;
    if (closed) {
      next.close();
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public synchronized void close() {
    closed = true;
    try {
      stream.close();
    } catch (IOException e) {
      // It is of no more use.
    }
  }
}
