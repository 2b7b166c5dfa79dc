package dev.midcourse.proof.bench.chat;

import dev.midcourse.proof.bench.fixture.BenchHub;
import dev.midcourse.proof.bench.measure.Benchmark;
import dev.midcourse.proof.bench.measure.Goal;
import dev.midcourse.proof.bench.measure.Pace;
import dev.midcourse.proof.bench.measure.Report;
import java.nio.file.Path;

/**
 * Measures messages of people on their way to agents, in a new ledger and in one with a long
 * history, and the outbox.
 */
public final class ChatMessages implements Benchmark {
  private static final int LIVE = 200;
  private static final int PER_SECOND = 200;
  private static final Goal GOAL = new Goal(5, 20);

  /** Two measurements of the same on a shared machine differ by so much. */
  private static final double MAX_GROWTH = 1.25;

  private static final double MAX_IDLE_PERCENT = 0.1;

  @Override
  public String name() {
    return "chat";
  }

  @Override
  public String title() {
    return "Messages in chats";
  }

  @Override
  public String question() {
    return "a message of a person until it is in its agent's input, with 1,000 chats and 200 live"
        + " runs; the same and an idle hub with 1,000,000 stored messages and 10,000 wirings; the"
        + " decision alone; the outbox";
  }

  @Override
  public void run(Path root, Report report) throws Exception {
    DecisionTime.measure(report);
    double few;
    try (BenchHub hub = BenchHub.open(StoredChats::fill)) {
      few = report("3,000 wirings", measure(hub), report);
    }
    double idleEmpty;
    try (BenchHub _ = BenchHub.open()) {
      idleEmpty = IdleCost.percentOfCore();
    }
    try (BenchHub hub = BenchHub.open(StoredChats::fillMany)) {
      double idle = IdleCost.percentOfCore();
      double many = report("1,000,000 stored", measure(hub), report);
      report.figure(
          "1,000,000 stored, relative to none, p50", many / few, "times", Goal.most(MAX_GROWTH));
      report.figure("of a core while nothing happens, new ledger", idleEmpty, "%");
      report.figure("of a core while nothing happens, 1,000,000 stored", idle, "%");
      report.figure(
          "of a core that 1,000,000 stored messages cost",
          Math.max(0, idle - idleEmpty),
          "%",
          Goal.most(MAX_IDLE_PERCENT));
    }
    TurnStartTime.measure(report);
    OutboxThroughput.measure(report);
    report.note(
        "A time counts from the moment at which the POST of a message to the terminal channel was"
            + " due, %d a second. It contains the request, the reads of chat, person, wirings and"
                .formatted(PER_SECOND)
            + " run, the decision, the durable commit of message, decision, steer and"
            + " acknowledgement, and the write to the agent. Acknowledgements and reactions are"
            + " sent meanwhile.");
    report.note(
        "The runs have one tool a second. The messages reply to a short one that the run has got, so"
            + " they are steers. The decision is"
            + " for such a reply in a chat with three wirings, and has no reads. The"
            + " agents that wait or are started are programs; all others are in the process of the"
            + " hub. The outbox sends to a platform in memory, and stores before and after each"
            + " message.");
  }

  /** Starts the runs by messages of people, and measures further messages of these people. */
  private static Pace.Kept<MessageLatency.Times> measure(BenchHub hub) throws Exception {
    try (MessageLatency latency = new MessageLatency(hub, new TerminalPosts(), LIVE);
        Pace pace = new Pace()) {
      latency.startRuns();
      latency.warmUp(PER_SECOND);
      return latency.measure(pace, PER_SECOND);
    }
  }

  /** Returns the median until the message is in the agent's input. */
  private static double report(String what, Pace.Kept<MessageLatency.Times> kept, Report report) {
    report.times(what + ": message → answered: it is stored", kept.found().stored());
    report.times(what + ": message → in the agent's input", kept.found().written(), GOAL);
    report.rounds(what + ": message → in the agent's input", kept);
    return kept.found().written().millis(0.5);
  }
}
