package dev.midcourse.proof.bench.chat;

import dev.midcourse.channels.terminal.TerminalChannel;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.proof.bench.fixture.BenchHub;
import dev.midcourse.proof.bench.fixture.HubCaller;
import dev.midcourse.proof.bench.fixture.OpenLoop;
import dev.midcourse.proof.bench.measure.Pace;
import dev.midcourse.proof.bench.measure.Samples;
import dev.midcourse.proof.bench.measure.WarmUp;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/** Measures messages of people from the request until they are in the input of a busy agent. */
final class MessageLatency {
  static final int LIVE = 200;
  static final int PER_SECOND = 200;
  private static final int SECONDS = 5;
  private static final int TOOLS = 400;
  private static final int TOOL_SECONDS = 1;
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(10);

  private final BenchHub hub;
  private final OpenLoop loop;
  private final Random random = new Random(7);
  private final Map<String, Integer> writers = new ConcurrentHashMap<>();
  private int messages;

  private MessageLatency(BenchHub hub, OpenLoop loop) {
    this.hub = hub;
    this.loop = loop;
  }

  /**
   * The times of messages.
   *
   * @param stored until the response: the message is durable
   * @param written until the agent has it in its input
   */
  record Times(Samples stored, Samples written) {

    static Times together(List<Times> all) {
      return new Times(
          Samples.together(all.stream().map(Times::stored).toList()),
          Samples.together(all.stream().map(Times::written).toList()));
    }
  }

  /** Starts the runs by messages of people, and measures further messages of these people. */
  static Pace.Kept<Times> measure(BenchHub hub) throws Exception {
    try (OpenLoop loop = new OpenLoop(hub, LIVE);
        Pace pace = new Pace()) {
      MessageLatency latency = new MessageLatency(hub, loop);
      latency.startRuns();
      WarmUp.by(() -> latency.round(1));
      return pace.rounds(
          times -> times.written().millis(0.5), Times::together, () -> latency.round(SECONDS));
    }
  }

  /**
   * The prompt of each run has tools for longer than the measurement takes. They are few, because
   * the prompt is part of every read of its run.
   */
  private void startRuns() throws IOException, InterruptedException {
    try (HubCaller caller = hub.caller()) {
      for (int i = 0; i < LIVE; i++) {
        double first = (double) TOOL_SECONDS * i / LIVE; // real agents are not synchronized
        String tools = ("\\n$ sleep " + TOOL_SECONDS).repeat(TOOLS);
        String text = String.format(Locale.ROOT, "begin\\n$ sleep %.3f%s\\nend", first, tools);
        OpenLoop.Post post = ChatPost.of(i, firstMessage(i), text);
        caller.post(post.path(), post.body());
      }
    }
    hub.awaitTurns(LIVE);
  }

  private static String firstMessage(int person) {
    return "first-message-" + person;
  }

  /** A message that replies to the one that started the run, so that it steers the run. */
  private OpenLoop.Post reply(int person, String text) {
    String key = "message-" + messages++;
    writers.put(key, person);
    return ChatPost.reply(person, key, text, firstMessage(person));
  }

  private Times round(int seconds) throws InterruptedException {
    Map<String, OpenLoop.Times> sent =
        loop.post(
            seconds * PER_SECOND,
            PER_SECOND,
            "message",
            i -> reply(random.nextInt(LIVE), "remark " + i));
    List<Duration> stored = new ArrayList<>();
    List<Duration> written = new ArrayList<>();
    for (var message : sent.entrySet()) {
      OpenLoop.Times times = message.getValue();
      stored.add(Duration.ofNanos(times.answered() - times.due()));
      written.add(Duration.ofNanos(writtenAt(message.getKey()) - times.due()));
    }
    return new Times(new Samples(stored), new Samples(written));
  }

  private long writtenAt(String key) throws InterruptedException {
    int writer = Objects.requireNonNull(writers.get(key));
    MessageRef ref = new MessageRef(TerminalChannel.NAME, StoredChats.platformId(writer), key);
    List<SteerId> steers =
        hub.hub().engine().ledger().read(reading -> reading.chats().steersOf(ref));
    if (steers.size() != 1) {
      throw new IllegalStateException("message " + key + " became " + steers.size() + " steers");
    }
    while (!hub.written().containsKey(steers.getFirst())) {
      Thread.sleep(CHECK_INTERVAL);
    }
    return Objects.requireNonNull(hub.written().get(steers.getFirst()));
  }
}
