package dev.midcourse.cli.net;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/**
 * Closes a connection when its deadline has passed, which ends every read from it. Before that it
 * tells once that the response is late.
 */
final class ConnectionDeadline {
  /** A response of a hub takes milliseconds; a person wonders after about this time. */
  private static final Duration LATE_DELAY = Duration.ofSeconds(2);

  private final Thread thread;

  private ConnectionDeadline(Thread thread) {
    this.thread = thread;
  }

  static ConnectionDeadline over(SocketChannel channel, Duration timeout, Runnable whenLate) {
    Thread thread =
        new Thread(
            () -> {
              try {
                if (timeout.compareTo(LATE_DELAY) > 0) {
                  Thread.sleep(LATE_DELAY.toMillis());
                  whenLate.run();
                  Thread.sleep(timeout.minus(LATE_DELAY).toMillis());
                } else {
                  Thread.sleep(timeout.toMillis());
                }
                channel.close();
              } catch (InterruptedException released) {
                // The response arrived in time.
              } catch (IOException e) {
                // A failed close needs no further action.
              }
            },
            "midcourse-watchdog");
    thread.setDaemon(true);
    thread.start();
    return new ConnectionDeadline(thread);
  }

  void release() {
    thread.interrupt();
  }
}
