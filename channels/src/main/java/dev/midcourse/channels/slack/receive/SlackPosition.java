package dev.midcourse.channels.slack.receive;

import dev.midcourse.channels.connection.ChannelState;
import dev.midcourse.channels.slack.api.SlackIds;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is stored to find messages that were missed: about how far the stream of messages was
 * received, and the threads in which we wrote last. The position is stored at most every 30
 * seconds, and not while older messages are being fetched; reading begins before it.
 */
public final class SlackPosition {
  /** Slack delivers an event again after up to about five minutes. */
  static final Duration OVERLAP = Duration.ofMinutes(10);

  private static final Duration STORE_INTERVAL = Duration.ofSeconds(30);
  private static final String POSITION = "position";
  private static final String THREADS = "threads";
  private static final int MAX_THREADS = 100;

  private final ChannelState state;
  private Optional<Instant> stored; // guarded by this, as all below
  private Instant highest = Instant.EPOCH;
  private boolean held;
  private final Set<String> threads = new LinkedHashSet<>();

  public SlackPosition(ChannelState state) {
    this.state = state;
    this.stored = state.get(POSITION).filter(SlackIds::isTs).map(SlackIds::instant);
    state.get(THREADS).ifPresent(text -> threads.addAll(List.of(text.split(" "))));
  }

  /** A thread of a channel. */
  record ThreadKey(String chat, String thread) {}

  /** The position; at the first start it is now, so that older messages are not read. */
  synchronized Instant begin(Instant now) {
    if (stored.isEmpty()) {
      store(now);
    }
    return stored.orElse(now);
  }

  /** A message of this time is durable. */
  synchronized void received(Instant sentAt) {
    if (sentAt.isAfter(highest)) {
      highest = sentAt;
    }
    storeIfDue();
  }

  /** Keeps the stored position until {@link #release}. */
  synchronized void hold() {
    held = true;
  }

  /**
   * Ends {@link #hold}.
   *
   * @param complete whether all older messages were taken; if not, they are looked for again
   */
  synchronized void release(boolean complete) {
    held = false;
    if (complete) {
      storeIfDue();
    } else {
      highest = Instant.EPOCH;
    }
  }

  private void storeIfDue() {
    boolean due = stored.map(at -> highest.isAfter(at.plus(STORE_INTERVAL))).orElse(true);
    if (due && !held && highest.isAfter(Instant.EPOCH)) {
      store(highest);
    }
  }

  private void store(Instant position) {
    state.put(POSITION, SlackIds.ts(position));
    stored = Optional.of(position);
  }

  /** We wrote in this thread, so that answers in it are looked for. */
  public synchronized void remember(String chat, String thread) {
    String key = chat + ":" + thread;
    if (!threads.add(key)) {
      return;
    }
    if (threads.size() > MAX_THREADS) {
      threads.remove(threads.iterator().next());
    }
    state.put(THREADS, String.join(" ", threads));
  }

  public synchronized Set<ThreadKey> threads() {
    return threads.stream()
        .map(key -> key.split(":", 2))
        .filter(parts -> parts.length == 2 && SlackIds.isId(parts[0]) && SlackIds.isTs(parts[1]))
        .map(parts -> new ThreadKey(parts[0], parts[1]))
        .collect(Collectors.toSet());
  }
}
