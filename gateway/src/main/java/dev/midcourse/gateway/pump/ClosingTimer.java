package dev.midcourse.gateway.pump;

import java.io.IOException;
import java.time.Duration;

/**
 * Closes a connection in two steps: at once for writing, so that the other side gets everything and
 * then the end, and after seconds completely, in case the other side never closes.
 */
final class ClosingTimer {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private ClosingTimer() {}

  static void close(Link link) {
    try {
      link.shutdownOutput();
    } catch (IOException | UnsupportedOperationException closed) {
      link.close();
      return;
    }
    Thread.ofVirtual()
        .name("gateway-close")
        .start(() -> {
          try {
            Thread.sleep(TIMEOUT);
          } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
          } finally {
            link.close();
          }
        });
  }
}
