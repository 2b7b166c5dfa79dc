package dev.midcourse.channels.irc;

import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.connection.ChannelState;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Fetches what was written while the channel was away, and keeps the position in the history of the
 * server. The position moves only while nothing is being fetched, so that a crash leaves no gap.
 */
final class IrcCatchUp {
  /** Fetched again, since the times of two rooms are not strictly in order. */
  private static final Duration OVERLAP = Duration.ofSeconds(10);

  private static final Duration MIN_GAP = Duration.ofSeconds(5);
  private static final int MAX_BATCHES = 1_000;
  private static final String POSITION = "position";
  private static final String ALIVE = "alive";

  private final ChannelName channel;
  private final IrcConnection connection;
  private final IrcNetwork network;
  private final ChannelState state;
  private final ChannelListener listener;
  private final Optional<Instant> before;
  private final Instant connectedAt;
  private final Set<String> fetching = new HashSet<>();
  private final Map<String, Batch> batches = new HashMap<>();
  private Optional<Instant> newest;

  /** A part of the history that is being received. */
  private static final class Batch {
    private final String type;
    private final String target;
    private int lines;
    private Optional<String> last = Optional.empty();

    private Batch(String type, String target) {
      this.type = type;
      this.target = target;
    }
  }

  IrcCatchUp(
      ChannelName channel,
      IrcConnection connection,
      IrcNetwork network,
      ChannelState state,
      ChannelListener listener,
      Instant now) {
    this.channel = channel;
    this.connection = connection;
    this.network = network;
    this.state = state;
    this.listener = listener;
    this.connectedAt = now;
    this.before = instant(state.get(POSITION));
    this.newest = before;
  }

  private static Optional<Instant> instant(Optional<String> text) {
    try {
      return text.map(Instant::parse);
    } catch (DateTimeException notATime) {
      return Optional.empty();
    }
  }

  /** Tells about the gap if the server has no history; else asks who wrote to us directly. */
  void start() throws IOException {
    Optional<Instant> alive = instant(state.get(ALIVE));
    if (!network.has(IrcCapability.HISTORY)) {
      alive
          .filter(time -> Duration.between(time, connectedAt).compareTo(MIN_GAP) > 0)
          .ifPresent(this::tellGap);
    } else if (before.isEmpty()) {
      advance(connectedAt);
    } else {
      fetching.add("");
      connection.write(
          IrcLine.of(
              "CHATHISTORY",
              "TARGETS",
              timestamp(before.get().minus(OVERLAP)),
              timestamp(connectedAt.plus(Duration.ofDays(1))),
              Integer.toString(network.maxHistory())));
    }
    markAlive(connectedAt);
  }

  private void tellGap(Instant from) {
    listener.notice(
        channel, new ChannelNotice.Gap(Optional.empty(), from, connectedAt, "messages"));
  }

  /** Asks for what was written in a room since the position. */
  void fetch(String target) throws IOException {
    if (network.has(IrcCapability.HISTORY)
        && before.isPresent()
        && fetching.add(network.fold(target))) {
      ask(target, timestamp(before.get().minus(OVERLAP)));
    }
  }

  private void ask(String target, String after) throws IOException {
    connection.write(
        IrcLine.of("CHATHISTORY", "AFTER", target, after, Integer.toString(network.maxHistory())));
  }

  private static String timestamp(Instant time) {
    return "timestamp=" + Instant.ofEpochMilli(time.toEpochMilli()).toString();
  }

  /** Takes the begin and the end of a batch, its lines, and a refusal. */
  void take(IrcLine line) throws IOException {
    Batch batch = batches.get(line.tag("batch").orElse(""));
    if (batch != null) {
      batch.lines++;
      batch.last = line.tag("msgid");
    }
    switch (line.command()) {
      case "BATCH" -> takeBatch(line);
      case "CHATHISTORY" -> {
        if (line.param(0).equals("TARGETS") && !network.isRoom(line.param(1))) {
          fetch(line.param(1));
        }
      }
      case "FAIL" -> {
        if (line.param(0).equals("CHATHISTORY")) {
          before.ifPresent(this::tellGap);
          fetching.clear();
        }
      }
      default -> {} // messages are taken by the session
    }
  }

  private void takeBatch(IrcLine line) throws IOException {
    String reference = line.param(0);
    if (reference.startsWith("+") && batches.size() < MAX_BATCHES) {
      batches.put(reference.substring(1), new Batch(line.param(1), line.param(2)));
    } else if (reference.startsWith("-")) {
      Batch ended = batches.remove(reference.substring(1));
      if (ended == null) {
        return;
      }
      if (ended.type.endsWith("chathistory-targets")) {
        fetching.remove("");
      } else if (ended.type.equals("chathistory")) {
        if (ended.lines >= network.maxHistory() && ended.last.isPresent()) {
          ask(ended.target, "msgid=" + ended.last.get());
        } else {
          fetching.remove(network.fold(ended.target));
        }
      }
      if (fetching.isEmpty()) {
        newest.ifPresent(this::store);
      }
    }
  }

  /** Everything up to this message is durable. */
  void advance(Instant sentAt) {
    if (newest.isEmpty() || sentAt.isAfter(newest.get())) {
      newest = Optional.of(sentAt);
      if (fetching.isEmpty()) {
        store(sentAt);
      }
    }
  }

  private void store(Instant position) {
    state.put(POSITION, position.toString());
  }

  /** Stores that the connection was open at this time. */
  void markAlive(Instant now) {
    if (!network.has(IrcCapability.HISTORY)) {
      state.put(ALIVE, now.toString());
    }
  }
}
