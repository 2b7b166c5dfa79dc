package dev.midcourse.channels.outbox;

import dev.midcourse.channels.Channel;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.outbound.OutboundState;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.RetryDelay;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Sends the messages of one channel: of each chat one at a time and in order, of several chats at
 * once. One thread selects the messages and sleeps until it is woken or the next message is due;
 * each message is sent on its own virtual thread.
 */
final class ChannelSender implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ChannelSender.class.getName());
  private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration MAX_SLEEP = Duration.ofHours(1);
  private static final int MAX_INTERRUPTED = 10_000;

  /**
   * After each look the selector rests this many times as long as the look took. A look steps
   * through all chats that wait, so that a look for every wake-up would keep a core busy.
   */
  private static final int REST_FACTOR = 4;

  private static final Duration MAX_REST = Duration.ofMillis(100);

  private final Channel channel;
  private final Ledger ledger;
  private final InstantSource clock;
  private final int maxChats;
  private final MessageDelivery delivery;
  private final ChatPacer pacer;
  private final Semaphore woken = new Semaphore(0);
  private final ExecutorService deliveries = Executors.newVirtualThreadPerTaskExecutor();
  private final Thread selector;

  /** The chats for which a delivery is under way; guarded by this object. */
  private final Set<String> busyChats = new HashSet<>();

  private volatile boolean closed;

  ChannelSender(
      Channel channel,
      Ledger ledger,
      InstantSource clock,
      OutboxSettings settings,
      UnsentHandler unsent) {
    this.channel = channel;
    this.ledger = ledger;
    this.clock = clock;
    this.maxChats = settings.maxChats();
    this.delivery = new MessageDelivery(channel, ledger, clock, settings, unsent);
    this.pacer = new ChatPacer(channel.capabilities().limits());
    this.selector =
        Thread.ofVirtual().name("midcourse-outbox-" + channel.name()).unstarted(this::select);
  }

  void start() {
    selector.start();
  }

  /** Makes the selector look for messages. Returns at once. */
  void wake() {
    if (woken.availablePermits() == 0) {
      woken.release();
    }
  }

  private void select() {
    RetryDelay retry =
        new RetryDelay(
            LOG,
            RETRY_INTERVAL,
            "Reading the outbox of " + channel.name(),
            "Its messages are late, none is lost.");
    boolean recovered = false;
    while (!closed) {
      try {
        if (!recovered) {
          recoverInterrupted();
          recovered = true;
        }
        long began = System.nanoTime();
        Selection selection = beginDue();
        retry.succeeded();
        if (!selection.full()) {
          rest(System.nanoTime() - began);
        }
        sleep(selection.lookAgainAt());
      } catch (InterruptedException asked) {
        return;
      } catch (RuntimeException e) {
        if (closed || !retry.sleepAfter(e)) {
          return;
        }
      }
    }
  }

  private static void rest(long lookNanos) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(Math.min(REST_FACTOR * lookNanos, MAX_REST.toNanos()));
  }

  private void sleep(Optional<Instant> until) throws InterruptedException {
    Duration time =
        until
            .map(at -> Duration.between(clock.instant(), at))
            .filter(wait -> wait.compareTo(MAX_SLEEP) < 0)
            .orElse(MAX_SLEEP);
    boolean signalled = woken.tryAcquire(Math.max(1, time.toMillis()), TimeUnit.MILLISECONDS);
    if (signalled) {
      woken.drainPermits();
    }
  }

  /** Decides about each message that a hub before this one was sending when it ended. */
  private void recoverInterrupted() {
    List<OutboundMessage> interrupted =
        ledger.read(reading ->
            reading
                .chats()
                .outbox(Set.of(OutboundState.SENDING), Optional.empty(), MAX_INTERRUPTED));
    interrupted.stream()
        .filter(message -> message.to().channel().equals(channel.name()))
        .forEach(message -> begin(message, () -> delivery.recover(message)));
  }

  /**
   * What a look at the outbox found.
   *
   * @param lookAgainAt when the next message is due
   * @param full whether all places are taken, so that messages may wait for the end of a delivery
   */
  private record Selection(Optional<Instant> lookAgainAt, boolean full) {}

  /** Begins to send what is due. Each end of a delivery wakes the selector. */
  private Selection beginDue() {
    Instant now = clock.instant();
    int free = maxChats - busy();
    if (free <= 0) {
      return new Selection(Optional.empty(), true);
    }
    pacer.forget(now);
    List<OutboundMessage> due =
        ledger.read(
            reading -> reading.chats().due(channel.name(), now, free + busy() + pacer.size()));
    Optional<Instant> paced = Optional.empty();
    int begun = 0;
    for (OutboundMessage message : due) {
      if (isBusy(message)) {
        continue;
      }
      Optional<Instant> until = pacer.waitsUntil(message, now);
      if (until.isPresent()) {
        paced = earlier(paced, until);
      } else if (begun < free) {
        begun++;
        pacer.begin(message, now);
        begin(message, () -> delivery.deliver(message.id()));
      }
    }
    Optional<Instant> next = ledger.read(reading -> reading.chats().nextDue(channel.name(), now));
    return new Selection(earlier(paced, next), begun == free);
  }

  private void begin(OutboundMessage message, Runnable task) {
    String chat = message.to().chat();
    synchronized (this) {
      busyChats.add(chat);
    }
    deliveries.execute(() -> {
      try {
        task.run();
      } catch (RuntimeException e) {
        LOG.log(
            Level.ERROR,
            "Sending message " + message.id() + " of " + channel.name() + " failed.",
            e);
      } finally {
        synchronized (this) {
          busyChats.remove(chat);
        }
        wake();
      }
    });
  }

  private synchronized int busy() {
    return busyChats.size();
  }

  private synchronized boolean isBusy(OutboundMessage message) {
    return busyChats.contains(message.to().chat());
  }

  private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.or(() -> other);
    }
    return one.get().isBefore(other.get()) ? one : other;
  }

  /**
   * Begins no further message and waits a short time for those under way. A message that is still
   * being sent then is recovered by the next hub.
   */
  @Override
  public void close() {
    closed = true;
    selector.interrupt();
    deliveries.shutdown();
    try {
      if (!deliveries.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        deliveries.shutdownNow();
      }
    } catch (InterruptedException asked) {
      deliveries.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
