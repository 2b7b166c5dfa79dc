package dev.midcourse.cli.net;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/** Closes a connection when its deadline has passed, which ends every read from it. */
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
