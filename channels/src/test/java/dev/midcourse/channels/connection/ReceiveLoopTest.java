package dev.midcourse.channels.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.fixture.RecordingListener;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.ledger.StoreLock;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReceiveLoopTest {
  private static final Duration NOW = Duration.ofMillis(1);

  private final ProcessLocks locks = new ProcessLocks();
  private final RecordingListener listener = new RecordingListener();
  private final List<ReceiveLoop> loops = new CopyOnWriteArrayList<>();

  private ReceiveLoop loop(ReceiveLoop.Session session) {
    ReceiveLoop loop =
        new ReceiveLoop(ChannelName.of("fake"), InstantSource.system(), locks, "token");
    loops.add(loop);
    loop.start(session, listener);
    return loop;
  }

  @AfterEach
  void close() {
    loops.forEach(ReceiveLoop::close);
  }

  /** A session that is open until it is interrupted. */
  private static void stayOpen(ReceiveLoop.Connection connection) throws InterruptedException {
    connection.opened();
    new CountDownLatch(1).await();
  }

  /** Seen to fail when the loop ends with its first failure. */
  @Test
  void after_a_failure_the_session_is_opened_again_and_the_status_says_so() {
    BlockingQueue<Exception> failures = new LinkedBlockingQueue<>();
    failures.add(new RetryLaterException("the platform is busy", NOW));
    ReceiveLoop loop =
        loop(connection -> {
          Exception failure = failures.poll();
          if (failure != null) {
            throw failure;
          }
          stayOpen(connection);
        });
    await().until(() -> loop.status() instanceof ChannelStatus.Connected);
    assertThat(failures).isEmpty();
  }

  /** Seen to fail when the reason of a failure is only logged. */
  @Test
  void a_lost_connection_is_named_until_it_works_again() {
    ReceiveLoop loop =
        loop(connection -> {
          throw new IOException("the network is gone");
        });
    await()
        .until(() ->
            loop.status() instanceof ChannelStatus.Retrying(var _, String reason)
                && reason.equals("the network is gone"));
  }

  /** Seen to fail when the loop goes on after a permanent failure. */
  @Test
  void a_permanent_failure_ends_the_loop_and_is_reported_once() {
    AtomicInteger sessions = new AtomicInteger();
    ReceiveLoop loop =
        loop(connection -> {
          sessions.incrementAndGet();
          throw new PermanentFailureException("the token was revoked", "Make a new one.");
        });
    await().until(() -> !listener.notices().isEmpty());
    assertThat(loop.status())
        .isEqualTo(new ChannelStatus.Stopped("the token was revoked", "Make a new one."));
    assertThat(sessions).hasValue(1);
    assertThat(locks.tryLock("token")).as("its lock is free").isPresent();
  }

  /** Seen to fail when the loop opens its session without the lock. */
  @Test
  void a_second_loop_with_the_same_token_waits_and_says_so() {
    StoreLock other = locks.tryLock("token").orElseThrow();
    AtomicInteger sessions = new AtomicInteger();
    ReceiveLoop loop =
        loop(connection -> {
          sessions.incrementAndGet();
          stayOpen(connection);
        });
    await().until(() -> loop.status() instanceof ChannelStatus.Standby);
    assertThat(sessions).hasValue(0);
    other.close();
    await().until(() -> loop.status() instanceof ChannelStatus.Connected);
  }

  /** Seen to fail when the session is not interrupted. */
  @Test
  void a_closed_loop_ends_its_session_and_gives_the_lock_back() {
    ReceiveLoop loop = loop(ReceiveLoopTest::stayOpen);
    await().until(() -> loop.status() instanceof ChannelStatus.Connected);
    loop.close();
    assertThat(locks.tryLock("token")).isPresent();
  }
}
