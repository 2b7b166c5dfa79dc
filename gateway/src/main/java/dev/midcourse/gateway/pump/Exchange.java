package dev.midcourse.gateway.pump;

import dev.midcourse.gateway.http.RequestHead;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** One request and its response. Shared by the threads of both directions. */
final class Exchange {
  private final RequestHead request;
  private final ExchangeObserver observer;
  private final CompletableFuture<Boolean> reusable = new CompletableFuture<>();
  private final AtomicBoolean over = new AtomicBoolean();

  /** Whether the client waits with its body until it is asked to continue. */
  private volatile boolean waitsToContinue;

  Exchange(RequestHead request, ExchangeObserver observer) {
    this.request = request;
    this.observer = observer;
    this.waitsToContinue = request.expectsContinue();
  }

  RequestHead request() {
    return request;
  }

  ExchangeObserver observer() {
    return observer;
  }

  void requestContent(byte[] bytes, int from, int length) {
    waitsToContinue = false;
    observer.requestContent(bytes, from, length);
  }

  void continues() {
    waitsToContinue = false;
  }

  boolean waitsToContinue() {
    return waitsToContinue;
  }

  boolean isOpen() {
    return !over.get();
  }

  /** Ends the exchange, the first time that it is called. */
  void end(ExchangeEnd how, boolean connectionsReusable) {
    if (over.compareAndSet(false, true)) {
      observer.ended(how);
      reusable.complete(connectionsReusable);
    }
  }

  /** Waits for the end. Returns whether both connections can take another request. */
  boolean awaitEnd() {
    return reusable.join();
  }
}
