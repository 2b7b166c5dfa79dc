package dev.midcourse.channels.discord.gateway;

import dev.midcourse.channels.http.PlatformClient;
import dev.midcourse.channels.http.SocketClosedException;
import dev.midcourse.channels.http.TextSocket;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One connection to the gateway: reads it, answers heartbeats in time while events wait to be
 * taken, and notices when the gateway no longer answers. At most 1,000 events wait; then the reader
 * waits too.
 */
final class GatewayLink implements AutoCloseable {
  /** Closes the connection and keeps the session, unlike 1000 and 1001. */
  static final int KEEP_SESSION = 4_000;

  private static final int MAX_CHARS = 32 * 1024 * 1024;
  private static final int MAX_WAITING = 1_000;
  private static final int DISPATCH = 0;
  private static final int HEARTBEAT = 1;
  private static final int RECONNECT = 7;
  private static final int INVALID_SESSION = 9;
  private static final int HELLO = 10;
  private static final int HEARTBEAT_ACK = 11;
  private static final long MIN_INTERVAL_MILLIS = 20;
  private static final long MAX_INTERVAL_MILLIS = 600_000;
  private static final Duration READ_WAIT = Duration.ofSeconds(10);

  private final TextSocket socket;
  private final Duration interval;
  private final Listener listener;
  private final AtomicLong sequence;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final Semaphore room = new Semaphore(MAX_WAITING);
  private volatile boolean acknowledged = true;
  private volatile Optional<Thread> reader = Optional.empty();
  private volatile Optional<Thread> heart = Optional.empty();

  private GatewayLink(TextSocket socket, Duration interval, long sequence, Listener listener) {
    this.socket = socket;
    this.interval = interval;
    this.listener = listener;
    this.sequence = new AtomicLong(sequence);
  }

  /** What the owner of the connection does at once, in the threads of the connection. */
  interface Listener {
    /** An event has come; returns what is to be awaited when it is its turn. Must not block. */
    Optional<Pending> arrived(String type, JsonValue.Obj data);

    /** The gateway has answered a heartbeat. */
    void alive();
  }

  /** Work on an event that began when the event came. */
  interface Pending {
    void await() throws IOException, InterruptedException;
  }

  /** What the gateway sent, in its order. */
  sealed interface Event {
    record Dispatch(long sequence, String type, JsonValue.Obj data, Optional<Pending> pending)
        implements Event {}

    /** The gateway asks for a new connection. */
    record Reconnect() implements Event {}

    record InvalidSession(boolean isResumable) implements Event {}

    record Lost(IOException reason) implements Event {}
  }

  /** Connects, waits for the greeting of the gateway and begins to send heartbeats. */
  static GatewayLink open(
      PlatformClient client, URI to, Duration timeout, long sequence, Listener listener)
      throws IOException, InterruptedException {
    TextSocket socket = TextSocket.connect(client, to, timeout, MAX_CHARS);
    try {
      JsonValue.Obj hello =
          parse(
              socket
                  .receive(timeout)
                  .orElseThrow(() -> new IOException("the gateway does not greet")));
      Optional<Long> millis = hello.object("d").number("heartbeat_interval");
      if (op(hello) != HELLO || millis.isEmpty()) {
        throw new IOException("the gateway did not begin with its greeting");
      }
      long bounded = Math.clamp(millis.get(), MIN_INTERVAL_MILLIS, MAX_INTERVAL_MILLIS);
      return new GatewayLink(socket, Duration.ofMillis(bounded), sequence, listener);
    } catch (IOException | InterruptedException | RuntimeException e) {
      socket.close(KEEP_SESSION);
      throw e;
    }
  }

  /** Sends the first message, and begins to read. */
  void start(JsonValue.Obj first) throws IOException, InterruptedException {
    socket.send(first.toString());
    reader = Optional.of(Thread.ofVirtual().name("discord-reader").start(this::read));
    heart = Optional.of(Thread.ofVirtual().name("discord-heartbeat").start(this::beat));
  }

  /** The next event; empty if none came in this time. */
  Optional<Event> next(Duration wait) throws InterruptedException {
    Event event = events.poll(wait.toMillis(), TimeUnit.MILLISECONDS);
    if (event instanceof Event.Dispatch) {
      room.release();
    }
    return Optional.ofNullable(event);
  }

  /** Whether no event waits to be taken. */
  boolean isIdle() {
    return events.isEmpty();
  }

  private void read() {
    try {
      while (readOne()) {
        // Ends when the gateway asks for another connection.
      }
    } catch (IOException e) {
      events.add(new Event.Lost(e));
    } catch (InterruptedException closed) {
      // The connection is closed.
    } catch (RuntimeException e) {
      events.add(new Event.Lost(new IOException("the gateway sent what cannot be read", e)));
    }
  }

  /** Reads one message; false if it ends the connection. */
  private boolean readOne() throws IOException, InterruptedException {
    Optional<String> text = socket.receive(READ_WAIT);
    if (text.isEmpty()) {
      return true;
    }
    JsonValue.Obj message = parse(text.get());
    acknowledged = true; // whatever comes shows that the connection lives
    switch (op(message)) {
      case DISPATCH -> dispatch(message);
      case HEARTBEAT -> sendHeartbeat();
      case HEARTBEAT_ACK -> listener.alive();
      case RECONNECT -> {
        events.add(new Event.Reconnect());
        return false;
      }
      case INVALID_SESSION -> {
        boolean isResumable = message.get("d").filter(new JsonValue.Bool(true)::equals).isPresent();
        events.add(new Event.InvalidSession(isResumable));
        return false;
      }
      default -> {}
    }
    return true;
  }

  private void dispatch(JsonValue.Obj message) throws InterruptedException {
    long number = message.number("s").orElseGet(sequence::get);
    String type = message.string("t").orElse("");
    JsonValue.Obj data = message.object("d");
    sequence.accumulateAndGet(number, Math::max);
    Optional<Pending> pending = listener.arrived(type, data);
    if (!room.tryAcquire()) {
      room.acquire();
      acknowledged = true; // the answer to a heartbeat may be behind what has waited here
    }
    events.add(new Event.Dispatch(number, type, data, pending));
  }

  private void beat() {
    try {
      Thread.sleep(
          interval.multipliedBy(ThreadLocalRandom.current().nextInt(1, 1_000)).dividedBy(1_000));
      while (true) {
        if (!acknowledged && room.availablePermits() > 0) {
          events.add(new Event.Lost(new IOException("the gateway does not answer heartbeats")));
          socket.close(KEEP_SESSION);
          return;
        }
        acknowledged = false;
        sendHeartbeat();
        Thread.sleep(interval);
      }
    } catch (IOException e) {
      events.add(new Event.Lost(e));
    } catch (InterruptedException closed) {
      // The connection is closed.
    }
  }

  private void sendHeartbeat() throws IOException, InterruptedException {
    long newest = sequence.get();
    JsonValue number = newest == 0 ? new JsonValue.Null() : JsonValue.of(newest);
    socket.send(JsonValue.object().with("op", HEARTBEAT).with("d", number).toString());
  }

  private static JsonValue.Obj parse(String text) throws IOException {
    try {
      return JsonReader.readObject(text);
    } catch (JsonException e) {
      throw new IOException("the gateway sent what is not JSON", e);
    }
  }

  private static int op(JsonValue.Obj message) {
    return message.number("op").filter(op -> op >= 0 && op <= 1_000).orElse(-1L).intValue();
  }

  /** The close code, if the gateway closed the connection. */
  static Optional<Integer> closeCode(IOException lost) {
    return lost instanceof SocketClosedException closed
        ? Optional.of(closed.code())
        : Optional.empty();
  }

  @Override
  public void close() {
    reader.ifPresent(Thread::interrupt);
    heart.ifPresent(Thread::interrupt);
    socket.close(KEEP_SESSION);
  }
}
