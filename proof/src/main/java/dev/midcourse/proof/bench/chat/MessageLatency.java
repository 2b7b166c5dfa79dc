package dev.midcourse.proof.bench.chat;

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
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;

/** Measures messages of people from the request until they are in the input of a busy agent. */
final class MessageLatency implements AutoCloseable {
  private static final int SECONDS = 5;
  private static final int TOOLS = 400;
  private static final int TOOL_SECONDS = 1;
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(10);

  private final BenchHub hub;
  private final Correspondence correspondence;
  private final int live;
  private final OpenLoop loop;
  private final Random random = new Random(7);
  private final Map<String, Integer> writers = new ConcurrentHashMap<>();
  private int messages;

  /**
   * @param live the number of people who have a live run
   */
  MessageLatency(BenchHub hub, Correspondence correspondence, int live) throws IOException {
    this.hub = hub;
    this.correspondence = correspondence;
    this.live = live;
    this.loop = new OpenLoop(hub, live);
  }

  /**
   * A message and its times as {@link System#nanoTime}.
   *
   * @param answered the response: the message is durable
   * @param written the agent has it in its input
   */
  record Sent(String key, int person, long due, long answered, long written) {}

  /** The times of messages, from the moment at which each was due. */
  record Times(Samples stored, Samples written) {

    static Times of(Collection<Sent> sent) {
      return new Times(
          samples(sent, its -> its.answered() - its.due()),
          samples(sent, its -> its.written() - its.due()));
    }

    static Times together(List<Times> all) {
      return new Times(
          Samples.together(all.stream().map(Times::stored).toList()),
          Samples.together(all.stream().map(Times::written).toList()));
    }
  }

  static Samples samples(Collection<Sent> sent, ToLongFunction<Sent> nanos) {
    return new Samples(sent.stream().map(its -> Duration.ofNanos(nanos.applyAsLong(its))).toList());
  }

  /**
   * Starts a run for each person by a message. The prompt of each run has tools for longer than the
   * measurement takes. They are few, because the prompt is part of every read of its run. A second,
   * short message is the one that all later messages reply to, because a reply quotes its message:
   * with the first one, each reply would have all the tools in it and give them to the agent again.
   */
  void startRuns() throws IOException, InterruptedException {
    try (HubCaller caller = hub.caller()) {
      for (int i = 0; i < live; i++) {
        double first = (double) TOOL_SECONDS * i / live; // real agents are not synchronized
        String tools = ("\\n$ sleep " + TOOL_SECONDS).repeat(TOOLS);
        String text = String.format(Locale.ROOT, "begin\\n$ sleep %.3f%s\\nend", first, tools);
        caller.post(correspondence.message(i, firstMessage(i), text));
      }
      hub.awaitTurns(live);
      for (int i = 0; i < live; i++) {
        caller.post(correspondence.reply(i, secondMessage(i), "go on", firstMessage(i)));
      }
    }
  }

  private static String firstMessage(int person) {
    return "first-message-" + person;
  }

  private static String secondMessage(int person) {
    return "second-message-" + person;
  }

  /** Repeats a second of messages until Java has compiled their way. */
  void warmUp(int perSecond) throws Exception {
    WarmUp.by(() -> send(1, perSecond));
  }

  /** Measures replies of people who have a live run. */
  Pace.Kept<Times> measure(Pace pace, int perSecond) throws Exception {
    return pace.rounds(
        times -> times.written().millis(0.5),
        Times::together,
        () -> Times.of(send(SECONDS, perSecond)));
  }

  /** Sends replies of random people at this rate, and waits until their agents have them. */
  List<Sent> send(int seconds, int perSecond) throws InterruptedException {
    Map<String, OpenLoop.Times> answered =
        loop.post(
            seconds * perSecond,
            perSecond,
            i -> reply(random.nextInt(live), "remark " + i),
            (post, _) -> HubCaller.field(post.body(), correspondence.keyField()));
    List<Sent> sent = new ArrayList<>();
    for (var message : answered.entrySet()) {
      int person = Objects.requireNonNull(writers.get(message.getKey()));
      OpenLoop.Times times = message.getValue();
      sent.add(
          new Sent(
              message.getKey(),
              person,
              times.due(),
              times.answered(),
              writtenAt(person, message.getKey())));
    }
    return sent;
  }

  /** A message that replies to one which the run has, so that it steers the run. */
  private OpenLoop.Post reply(int person, String text) {
    String key = "message-" + messages++;
    writers.put(key, person);
    return correspondence.reply(person, key, text, secondMessage(person));
  }

  private long writtenAt(int person, String key) throws InterruptedException {
    List<SteerId> steers =
        hub.hub()
            .engine()
            .ledger()
            .read(reading -> reading.chats().steersOf(correspondence.ref(person, key)));
    if (steers.size() != 1) {
      throw new IllegalStateException("message " + key + " became " + steers.size() + " steers");
    }
    while (!hub.written().containsKey(steers.getFirst())) {
      Thread.sleep(CHECK_INTERVAL);
    }
    return Objects.requireNonNull(hub.written().get(steers.getFirst()));
  }

  @Override
  public void close() throws IOException {
    loop.close();
  }
}
