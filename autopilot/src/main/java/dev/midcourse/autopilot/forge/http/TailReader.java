package dev.midcourse.autopilot.forge.http;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Reads a stream and keeps its end. */
final class TailReader {
  private static final int BUFFER = 64 * 1024;

  private TailReader() {}

  /**
   * Reads until the end, until {@code maxRead} bytes, or until the time is over, and returns the
   * last bytes that came.
   */
  static byte[] read(InputStream from, int maxBytes, long maxRead, Duration timeout)
      throws IOException {
    CompletableFuture<Void> guard =
        CompletableFuture.runAsync(
            () -> close(from),
            CompletableFuture.delayedExecutor(timeout.toMillis(), TimeUnit.MILLISECONDS));
    byte[] ring = new byte[maxBytes];
    long total = 0;
    try {
      byte[] buffer = new byte[BUFFER];
      int read = from.read(buffer);
      while (read >= 0 && total < maxRead) {
        for (int i = 0; i < read; i++) {
          ring[(int) ((total + i) % maxBytes)] = buffer[i];
        }
        total += read;
        read = from.read(buffer);
      }
    } finally {
      guard.cancel(false);
    }
    if (total <= maxBytes) {
      return Arrays.copyOf(ring, (int) total);
    }
    byte[] tail = new byte[maxBytes];
    int start = (int) (total % maxBytes);
    System.arraycopy(ring, start, tail, 0, maxBytes - start);
    System.arraycopy(ring, 0, tail, maxBytes - start, start);
    return tail;
  }

  private static void close(InputStream stream) {
    try {
      stream.close();
    } catch (IOException e) {
      // It is closed already.
    }
  }
}
