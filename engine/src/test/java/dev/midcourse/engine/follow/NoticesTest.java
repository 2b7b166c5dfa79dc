package dev.midcourse.engine.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.watch.Notice;
import dev.midcourse.engine.ScriptedAgentDriver;
import dev.midcourse.ledger.Log;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Notices and the log follower when the hub ends. */
class NoticesTest extends ScriptedAgentDriver {
  private final List<String> sent = new CopyOnWriteArrayList<>();

  private void progress(Run run, String summary, long seq) {
    fixture.ledger.write(tx -> {
      tx.append(
          run.id(),
          clock.instant(),
          new RunEvent.Progressed(1, "working", summary, Optional.empty(), seq));
      return seq;
    });
  }

  private void add(Notice notice) {
    sent.add(notice.text());
  }

  /** Seen to fail when the follower leaves without the notices that wait for their time. */
  @Test
  void a_notice_that_waits_for_its_time_is_sent_when_the_hub_ends() {
    fixture.engine().notices().add(this::add);
    Run run = running("build it");
    progress(run, "reads", 90);
    await().until(() -> sent.contains("reads") || sent.contains("turn 1 started"));
    progress(run, "writes", 91);
    fixture.restartHub();
    fixture.engine().notices().add(this::add);
    await().until(() -> sent.contains("writes"));
  }

  /** Seen to fail when close interrupts the thread at any moment. */
  @Test
  void a_reader_is_not_interrupted_while_it_passes_entries_on() throws InterruptedException {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    LogFollower follower =
        new LogFollower(
            "test",
            fixture.ledger.log(),
            Log.Filter.ALL,
            _ -> {
              reading.countDown();
              try {
                released.await();
              } catch (InterruptedException e) {
                interrupted.set(true);
              }
            });
    follower.start();
    fixture.run("build it");
    reading.await();
    Thread closing = Thread.ofPlatform().start(follower::close);
    await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
    released.countDown();
    closing.join(Duration.ofMinutes(1));
    assertThat(interrupted).isFalse();
  }
}
