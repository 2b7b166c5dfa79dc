package dev.midcourse.hub.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * A proxy before Redis that holds one connection from a moment on: when the hub runs a script, its
 * request or the answer to it does not arrive any more.
 */
final class HoldingProxy implements AutoCloseable {
  private final ServerSocket server;
  private final int target;
  private final CountDownLatch held = new CountDownLatch(1);
  private volatile Optional<Hold> hold = Optional.empty();

  /**
   * The moment.
   *
   * @param request whether the request is held too, and not only the answer
   */
  private record Hold(String digest, boolean request) {}

  HoldingProxy(int target) throws IOException {
    this.target = target;
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** Redis runs the script; the hub does not learn it. */
  void holdAnswerTo(RedisScript script) {
    hold = Optional.of(new Hold(script.digest(), false));
  }

  /** The hub runs the script; Redis does not learn it. */
  void holdRequestOf(RedisScript script) {
    hold = Optional.of(new Hold(script.digest(), true));
  }

  void awaitHeld() throws InterruptedException {
    held.await();
  }

  void letGo() {
    hold = Optional.empty();
  }

  private void accept() {
    try {
      while (true) {
        Socket hub = server.accept();
        Socket redis = new Socket(InetAddress.getLoopbackAddress(), target);
        CountDownLatch silent = new CountDownLatch(1);
        Thread.ofVirtual().start(() -> forwardRequests(hub, redis, silent));
        Thread.ofVirtual().start(() -> forwardAnswers(redis, hub, silent));
      }
    } catch (IOException closed) {
      // The test has ended.
    }
  }

  private void forwardRequests(Socket hub, Socket redis, CountDownLatch silent) {
    byte[] buffer = new byte[1 << 16];
    try (hub;
        redis) {
      InputStream in = hub.getInputStream();
      OutputStream out = redis.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        String sent = new String(buffer, 0, n, ISO_8859_1);
        Optional<Hold> now = hold.filter(it -> sent.contains(it.digest()));
        if (now.isPresent()) {
          silent.countDown();
        }
        boolean drop = silent.getCount() == 0 && now.map(Hold::request).orElse(true);
        if (!drop) {
          out.write(buffer, 0, n);
          out.flush();
        }
        if (now.isPresent()) {
          held.countDown();
        }
      }
    } catch (IOException gone) {
      // The hub was killed, or the test has ended.
    }
  }

  private static void forwardAnswers(Socket redis, Socket hub, CountDownLatch silent) {
    byte[] buffer = new byte[1 << 16];
    try {
      InputStream in = redis.getInputStream();
      OutputStream out = hub.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (silent.getCount() > 0) {
          out.write(buffer, 0, n);
          out.flush();
        }
      }
    } catch (IOException gone) {
      // One of both has ended.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
