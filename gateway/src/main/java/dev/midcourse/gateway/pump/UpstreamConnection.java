package dev.midcourse.gateway.pump;

import dev.midcourse.gateway.http.BodyFraming;
import dev.midcourse.gateway.http.BodyPump;
import dev.midcourse.gateway.http.ByteSource;
import dev.midcourse.gateway.http.HeadReader;
import dev.midcourse.gateway.http.MessageHead;
import dev.midcourse.gateway.http.ResponseHead;
import dev.midcourse.gateway.pump.ClientOutput.ClientGoneException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connection to a provider that belongs to one connection of an agent. Its thread passes the
 * responses on. The end of the connection ends the request that is in flight; a provider that
 * closes an idle connection does not end the agent's.
 */
final class UpstreamConnection implements AutoCloseable {
  private final Upstream to;
  private final Link link;
  private final Link client;
  private final ByteSource source;
  private final OutputStream toClient;

  /** Guards the two fields below. */
  private final ReentrantLock lock = new ReentrantLock();

  private Optional<Exchange> current = Optional.empty();
  private boolean over;

  private volatile boolean closedByUs;

  private UpstreamConnection(Upstream to, Link link, Link client) {
    this.to = to;
    this.link = link;
    this.client = client;
    this.source = new ByteSource(link.in());
    this.toClient = new ClientOutput(client.out());
  }

  static UpstreamConnection start(Upstream to, Link link, Link client) {
    UpstreamConnection connection = new UpstreamConnection(to, link, client);
    Thread.ofVirtual().name("gateway-response").start(connection::passResponses);
    return connection;
  }

  /** Returns whether the connection can take a request for this provider. */
  boolean serves(Upstream wanted) {
    lock.lock();
    try {
      return !over && to.equals(wanted);
    } finally {
      lock.unlock();
    }
  }

  /** Announces a request. Returns false if the connection has ended. */
  boolean begin(Exchange exchange) {
    lock.lock();
    try {
      if (over) {
        return false;
      }
      current = Optional.of(exchange);
      return true;
    } finally {
      lock.unlock();
    }
  }

  OutputStream out() {
    return link.out();
  }

  /** Waits for the end of the last request. Returns whether the agent can send another one. */
  boolean awaitIdle() {
    return last().map(Exchange::awaitEnd).orElse(true);
  }

  /** Tells the provider that the agent sends no more bytes. */
  void shutdownOutput() {
    try {
      link.shutdownOutput();
    } catch (IOException closed) {
      // The other thread sees the end of the connection too.
    }
  }

  /** Ends the connection and the request that is in flight. */
  @Override
  public void close() {
    closedByUs = true;
    link.close();
  }

  private Optional<Exchange> last() {
    lock.lock();
    try {
      return current;
    } finally {
      lock.unlock();
    }
  }

  private void passResponses() {
    ExchangeEnd how = ExchangeEnd.UPSTREAM_CUT;
    try {
      boolean open = true;
      while (open && source.await()) {
        Optional<Exchange> exchange = last();
        open = exchange.isPresent() && passResponse(exchange.get());
      }
    } catch (ClientGoneException gone) {
      how = ExchangeEnd.CLIENT_GONE;
    } catch (IOException cut) {
      // The request in flight ends as cut off.
    } finally {
      finish(closedByUs ? ExchangeEnd.CLIENT_GONE : how);
    }
  }

  private void finish(ExchangeEnd how) {
    lock.lock();
    try {
      over = true;
    } finally {
      lock.unlock();
    }
    link.close();
    // An exchange that has ended already stays as it is.
    Optional<Exchange> cut = last().filter(Exchange::isOpen);
    cut.ifPresent(exchange -> {
      ClosingTimer.close(client);
      exchange.end(how, false);
    });
  }

  /** Passes one response on. Returns whether the connection is kept open. */
  private boolean passResponse(Exchange exchange) throws IOException {
    ResponseHead response = passHeads(exchange);
    exchange.observer().responded(response);
    BodyFraming framing = BodyFraming.of(exchange.request(), response);
    BodyPump.pump(source, toClient, framing, exchange.observer()::responseContent);
    boolean reusable =
        response.keepsAlive()
            && exchange.request().keepsAlive()
            && !(framing instanceof BodyFraming.UntilClose)
            && !exchange.waitsToContinue();
    if (!reusable) {
      ClosingTimer.close(client);
    }
    exchange.end(ExchangeEnd.COMPLETE, reusable);
    return reusable;
  }

  /** Passes heads on up to the first that is not interim, and returns that one. */
  private ResponseHead passHeads(Exchange exchange) throws IOException {
    while (true) {
      MessageHead head =
          HeadReader.read(source).orElseThrow(() -> new IOException("closed before a response"));
      ResponseHead response = ResponseHead.of(head);
      if (response.status() == 101) {
        throw new IOException("the provider changed the protocol");
      }
      if (response.status() == 100) {
        exchange.continues();
      }
      toClient.write(head.bytes());
      if (!response.isInterim()) {
        return response;
      }
    }
  }
}
