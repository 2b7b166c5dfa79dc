package dev.midcourse.cli.net;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/** Closes a connection when its time is over, which ends whatever waits for it. */
final class ConnectionDeadline {
  private final Thread thread;

  private ConnectionDeadline(Thread thread) {
    this.thread = thread;
  }

  static ConnectionDeadline over(SocketChannel channel, Duration patience) {
    Thread thread =
        new Thread(
            () -> {
              try {
                Thread.sleep(patience.toMillis());
                channel.close();
              } catch (InterruptedException released) {
                // Answered in time.
              } catch (IOException e) {
                // It cannot be closed more than this.
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
