package dev.midcourse.cli.client;

import dev.midcourse.cli.net.EventStream;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.util.Optional;

/**
 * Delivers the events of one run or of all runs, each once and in order. After a lost connection
 * the feed reconnects and continues after the last delivered event. It retries until it is closed,
 * because agents keep running while the hub is down.
 */
public final class EventFeed implements AutoCloseable {

  /** Listener for the loss of the hub connection. */
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

  /** Guarded by this, because close and next run on different threads. */
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
   * Opens a feed of one run that begins now, or after a cursor. When this method returns, the
   * subscription exists: no later event is lost.
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

  /** Opens a feed of all runs that begins now. */
  public static EventFeed ofAll(HubClient hub, Absence absence) {
    return open(hub, "/events", "/events", Optional.empty(), absence);
  }

  /** Opens the feed of another stream of the hub, whose events need not have cursors. */
  public static EventFeed ofPath(HubClient hub, String path, Absence absence) {
    return open(hub, path, path, Optional.empty(), absence);
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

  /** Blocks until the next event and returns it; empty after the feed was closed. */
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
        // A broken connection is handled like the end of the stream.
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
        // The hub does not answer yet; retry after the pause.
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
      // The stream is not used any more.
    }
  }
}
