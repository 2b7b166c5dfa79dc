package dev.midcourse.proof.bench.chat;

import dev.midcourse.core.chat.Conversation;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Run;
import dev.midcourse.proof.bench.fixture.BenchHub;
import dev.midcourse.proof.bench.fixture.HubCaller;
import dev.midcourse.proof.bench.fixture.OpenLoop;
import dev.midcourse.proof.bench.measure.Report;
import dev.midcourse.proof.bench.measure.Samples;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Measures the time from a message to the prompt in the input of an agent that is a program: for an
 * agent that waits after its last turn, and for one that the message starts.
 */
final class TurnStartTime {
  private static final Correspondence POSTS = new TerminalPosts();
  private static final int PEOPLE = 60;
  private static final int WARM_UP = 10;
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(1);

  private final BenchHub hub;
  private final HubCaller caller;

  private TurnStartTime(BenchHub hub, HubCaller caller) {
    this.hub = hub;
    this.caller = caller;
  }

  static void measure(Report report) throws Exception {
    try (BenchHub hub = BenchHub.withPrograms(StoredChats::fill);
        HubCaller caller = hub.caller()) {
      TurnStartTime turns = new TurnStartTime(hub, caller);
      List<Duration> cold = new ArrayList<>();
      List<Duration> warm = new ArrayList<>();
      for (int person = 0; person < PEOPLE; person++) {
        Duration first = turns.time(person, "first");
        turns.awaitIdle(person);
        Duration second = turns.time(person, "second");
        turns.awaitIdle(person);
        if (person >= WARM_UP) {
          cold.add(first);
          warm.add(second);
        }
      }
      hub.stopAll();
      Samples waiting = new Samples(warm);
      Samples started = new Samples(cold);
      report.times("message → input of an agent that waits", waiting);
      report.times("message → input of an agent that it starts", started);
      report.figure(
          "an agent that is started, relative to one that waits, p50",
          started.millis(0.5) / waiting.millis(0.5),
          "times");
    }
  }

  /** Sends a message; returns the time until a prompt is in the input of the person's agent. */
  private Duration time(int person, String which) throws IOException, InterruptedException {
    OpenLoop.Post post =
        POSTS.message(person, which + "-message-" + person, which + "\\n$ true\\nend");
    long began = System.nanoTime();
    caller.post(post);
    while (true) {
      Optional<Long> at = run(person).flatMap(hub::lastPrompt).filter(time -> time > began);
      if (at.isPresent()) {
        return Duration.ofNanos(at.get() - began);
      }
      Thread.sleep(CHECK_INTERVAL);
    }
  }

  private void awaitIdle(int person) throws InterruptedException {
    while (run(person)
        .flatMap(id -> hub.hub().engine().ledger().<Optional<Run>>read(r -> r.run(id)))
        .flatMap(Run::idle)
        .isEmpty()) {
      Thread.sleep(CHECK_INTERVAL);
    }
  }

  private Optional<RunId> run(int person) {
    return hub.hub()
        .engine()
        .ledger()
        .<Optional<Conversation>>read(r -> r.chats().conversation(StoredChats.conversation(person)))
        .flatMap(Conversation::newestRun);
  }
}
