package dev.midcourse.proof.bench.chat;

import dev.midcourse.proof.bench.fixture.BenchHub;
import dev.midcourse.proof.bench.measure.Benchmark;
import dev.midcourse.proof.bench.measure.Goal;
import dev.midcourse.proof.bench.measure.Pace;
import dev.midcourse.proof.bench.measure.Report;
import dev.midcourse.proof.bench.measure.Samples;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Measures updates of a platform on their way to agents, over HTTP in both directions: at a usual
 * rate, at a high one, and while one chat of the platform is slow.
 */
public final class ChannelMessages implements Benchmark {
  private static final int LIVE = 200;
  private static final int PER_SECOND = 200;
  private static final int MANY_PER_SECOND = 500;
  private static final Goal GOAL = new Goal(6, 25);

  private static final int CHATS = 100;
  private static final int PER_SECOND_OF_CHATS = 100;
  private static final int SLOW_PERSON = 0;
  private static final int SECONDS = 5;
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(10);

  /** Two measurements of the same on a shared machine differ by so much. */
  private static final double MAX_GROWTH = 1.25;

  @Override
  public String name() {
    return "channels";
  }

  @Override
  public String title() {
    return "Messages over a platform";
  }

  @Override
  public String question() {
    return "an update of a platform until it is in its agent's input, over a signed webhook on"
        + " loopback with 200 live runs; 500 a second through one channel; 100 chats of which one"
        + " is slow";
  }

  @Override
  public void run(Path root, Report report) throws Exception {
    try (LoopbackPlatform platform = new LoopbackPlatform();
        BenchHub hub = BenchHub.open(folder -> platform.furnish(folder, LIVE));
        MessageLatency latency = new MessageLatency(hub, new WebhookPosts(), LIVE);
        Pace pace = new Pace()) {
      latency.startRuns();
      latency.warmUp(PER_SECOND);
      report(PER_SECOND, latency.measure(pace, PER_SECOND), GOAL, report);
      report(MANY_PER_SECOND, latency.measure(pace, MANY_PER_SECOND), Goal.NONE, report);
    }
    try (LoopbackPlatform platform = new LoopbackPlatform();
        BenchHub hub = BenchHub.open(folder -> platform.furnish(folder, CHATS));
        MessageLatency latency = new MessageLatency(hub, new WebhookPosts(), CHATS);
        Pace pace = new Pace()) {
      latency.startRuns();
      latency.warmUp(PER_SECOND_OF_CHATS);
      measureSlowChat(platform, latency, pace, report);
    }
    report.note(
        "A time counts from the moment at which the platform's POST of an update was due. It contains"
            + " the check of the signature, the decision, the durable commit and the write to the"
            + " agent. Meanwhile the hub posts two reactions on each message, and progress, to the"
            + " platform. The POSTs have the token of the hub too: without it a hub takes 50 a second,"
            + " of all webhooks together.");
    report.note(
        "The slow chat has the platform take two seconds for each request to it. The other chats are"
            + " measured with and without it, in turn. The reaction is the first one that the"
            + " platform gets on a message. The ratios are of all rounds.");
  }

  private static void report(
      int perSecond, Pace.Kept<MessageLatency.Times> kept, Goal goal, Report report) {
    String what = perSecond + " a second: update → ";
    report.times(what + "answered: it is stored", kept.found().stored());
    report.times(what + "in the agent's input", kept.found().written(), goal);
    report.rounds(what + "in the agent's input", kept);
  }

  /** The times of messages in all chats but the slow one. */
  private record Others(Samples written, Samples reaction) {

    static Others together(List<Others> all) {
      return new Others(
          Samples.together(all.stream().map(Others::written).toList()),
          Samples.together(all.stream().map(Others::reaction).toList()));
    }
  }

  /** One round without the slow chat and one with it, one after the other. */
  private record Both(Others without, Others with) {

    static Both together(List<Both> all) {
      return new Both(
          Others.together(all.stream().map(Both::without).toList()),
          Others.together(all.stream().map(Both::with).toList()));
    }
  }

  private static void measureSlowChat(
      LoopbackPlatform platform, MessageLatency latency, Pace pace, Report report)
      throws Exception {
    Pace.Kept<Both> kept =
        pace.rounds(
            both -> both.with().written().millis(0.5),
            Both::together,
            () -> {
              platform.slowDown(Optional.empty());
              Others without = others(platform, latency);
              platform.slowDown(Optional.of(SLOW_PERSON));
              return new Both(without, others(platform, latency));
            });
    Both found = kept.found();
    report.times("100 chats: update → in the agent's input", found.without().written());
    report.times("one of them slow, the others: → in the agent's input", found.with().written());
    report.times("100 chats: update → reaction at the platform", found.without().reaction());
    report.times(
        "one of them slow, the others: → reaction at the platform", found.with().reaction());
    ratios("in the agent's input", found.without().written(), found.with().written(), report);
    ratios("reaction at the platform", found.without().reaction(), found.with().reaction(), report);
    report.rounds("one of them slow, the others: → in the agent's input", kept);
  }

  private static Others others(LoopbackPlatform platform, MessageLatency latency)
      throws InterruptedException {
    List<MessageLatency.Sent> others =
        latency.send(SECONDS, PER_SECOND_OF_CHATS).stream()
            .filter(sent -> sent.person() != SLOW_PERSON)
            .toList();
    return new Others(
        MessageLatency.samples(others, sent -> sent.written() - sent.due()),
        reactions(platform, others));
  }

  private static Samples reactions(
      LoopbackPlatform platform, Collection<MessageLatency.Sent> messages)
      throws InterruptedException {
    List<Duration> times = new ArrayList<>();
    for (MessageLatency.Sent message : messages) {
      while (platform.reactionOn(message.key()).isEmpty()) {
        Thread.sleep(CHECK_INTERVAL);
      }
      long at = platform.reactionOn(message.key()).orElseThrow();
      times.add(Duration.ofNanos(at - message.due()));
    }
    return new Samples(times);
  }

  private static void ratios(String what, Samples without, Samples with, Report report) {
    report.figure(
        "the others beside a slow chat, relative to none: " + what + ", p50",
        with.millis(0.5) / without.millis(0.5),
        "times",
        Goal.most(MAX_GROWTH));
    report.figure(
        "the others beside a slow chat, relative to none: " + what + ", p99",
        with.millis(0.99) / without.millis(0.99),
        "times");
  }
}
