package dev.midcourse.proof.bench.chat;

import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.route.Routing;
import dev.midcourse.core.chat.route.RoutingAction;
import dev.midcourse.core.chat.route.RoutingContext;
import dev.midcourse.core.chat.route.RoutingDecision;
import dev.midcourse.proof.bench.measure.Goal;
import dev.midcourse.proof.bench.measure.Report;
import dev.midcourse.proof.bench.measure.Samples;
import dev.midcourse.proof.bench.measure.WarmUp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Measures the decision about one message, without a ledger. */
final class DecisionTime {
  private static final int DECISIONS = 200_000;
  private static final double MAX_MICROS = 50;
  private static final double MICROS = 1_000;

  private DecisionTime() {}

  static void measure(Report report) throws Exception {
    InboundMessage message = StoredChats.message(0, 0);
    RoutingContext context = StoredChats.context();
    WarmUp.by(() -> times(message, context));
    Samples samples = times(message, context);
    report.figure("decision, p50", samples.millis(0.5) * MICROS, "µs", Goal.most(MAX_MICROS));
    report.figure("decision, p99", samples.millis(0.99) * MICROS, "µs", Goal.most(MAX_MICROS));
  }

  private static Samples times(InboundMessage message, RoutingContext context) {
    List<Duration> times = new ArrayList<>(DECISIONS);
    for (int i = 0; i < DECISIONS; i++) {
      long began = System.nanoTime();
      RoutingDecision decision = Routing.decide(message, context);
      times.add(Duration.ofNanos(System.nanoTime() - began));
      if (!(decision.actions().getFirst() instanceof RoutingAction.SteerRun)) {
        throw new IllegalStateException("not a steer: " + decision);
      }
    }
    return new Samples(times);
  }
}
