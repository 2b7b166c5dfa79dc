package dev.midcourse.proof.crash.chat;

import dev.midcourse.channels.webhook.WebhookChannel;
import dev.midcourse.proof.chat.WebhookSignature;
import dev.midcourse.proof.crash.chat.DrillChats.DrillChannel;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;

/** Delivers updates to the newest hub, again and again until a hub has acknowledged them. */
final class WebhookSender {
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration REDELIVERY_INTERVAL = Duration.ofMillis(20);
  private static final int OK = 200;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** The port of the newest hub, 0 while there is none. Guarded by this object. */
  private int port;

  /** Guarded by this object. */
  private boolean closed;

  /** A hub listens at this port; 0 if none does. */
  synchronized void use(int hubPort) {
    port = hubPort;
    notifyAll();
  }

  synchronized void close() {
    closed = true;
    notifyAll();
  }

  private synchronized int awaitPort() throws InterruptedException {
    while (port == 0 && !closed) {
      wait();
    }
    if (closed) {
      throw new InterruptedException("the drill is over");
    }
    return port;
  }

  /** Returns when a hub has acknowledged the update. */
  void deliver(DrillChannel channel, String body) throws InterruptedException {
    int status = 0;
    while (status != OK) {
      int to = awaitPort();
      try {
        status = post(to, channel, body);
      } catch (IOException killed) {
        Thread.sleep(REDELIVERY_INTERVAL);
      }
    }
  }

  private int post(int to, DrillChannel channel, String body)
      throws IOException, InterruptedException {
    String seconds = Long.toString(Instant.now().getEpochSecond());
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + to + "/" + channel.word()))
            .timeout(ANSWER_TIMEOUT)
            .header(WebhookChannel.TIMESTAMP, seconds)
            .header(WebhookChannel.SIGNATURE, WebhookSignature.of(DrillChats.SECRET, seconds, body))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }
}
