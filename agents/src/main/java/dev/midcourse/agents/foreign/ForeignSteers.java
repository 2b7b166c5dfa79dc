package dev.midcourse.agents.foreign;

import dev.midcourse.agents.foreign.ForeignMessages.WorkerMessage;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.SteerId;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The steers that a worker has not taken yet. One steer is in the file at a time and the others
 * wait in order, so that no steer overwrites another. Not thread-safe.
 */
final class ForeignSteers {
  private static final System.Logger LOG = System.getLogger(ForeignSteers.class.getName());
  private static final int MAX_CHECKS_OF_ACKED = 10;

  private final ForeignFiles files;
  private final Queue<PendingSteer> waiting = new ArrayDeque<>();
  private final Set<String> acked = new HashSet<>();
  private final Set<String> injected = new HashSet<>();
  private Optional<SteerId> current = Optional.empty();

  /**
   * The steer in the file, if this hub wrote it. It is written again if the worker deletes it
   * unread.
   */
  private Optional<PendingSteer> currentMessage = Optional.empty();

  /** Whether the worker acked another steer while this steer was in the file. */
  private boolean overtaken;

  private int checksOfAcked;

  /** Steers whose last event is created and not yet numbered. */
  private final List<String> settled = new ArrayList<>();

  /**
   * Steers whose events are complete, with the offset of the last event. Their acks are still kept.
   */
  private final Map<String, Long> reported = new LinkedHashMap<>();

  private record PendingSteer(SteerId steer, String message) {}

  ForeignSteers(ForeignFiles files) {
    this.files = files;
  }

  /** Restores the state after another hub, whose steer may still be in the file. */
  void resume() throws IOException {
    current = files.unreadSteer();
  }

  /** Whether the steer is in the file, waits, or was acked. */
  boolean knows(SteerId steer) {
    return acked.contains(steer.value())
        || current.equals(Optional.of(steer))
        || waiting.stream().anyMatch(other -> other.steer().equals(steer));
  }

  void add(SteerId steer, String message) throws IOException {
    waiting.add(new PendingSteer(steer, message));
    writeNext();
  }

  /** Withdraws a steer. Returns false if the worker has taken it. */
  boolean takeBack(SteerId steer) throws IOException {
    if (waiting.removeIf(other -> other.steer().equals(steer))) {
      return true;
    }
    if (current.equals(Optional.of(steer)) && files.takeBack(steer)) {
      current = Optional.empty();
      writeNext();
      return true;
    }
    return false;
  }

  /**
   * Withdraws the unread steers at the end of a turn. They are delivered with the next turn only.
   */
  List<SteerId> takeBackUnread() {
    List<SteerId> unread = new ArrayList<>();
    if (current.filter(steer -> !acked.contains(steer.value()) && gotBack(steer)).isPresent()) {
      unread.add(current.get());
      current = Optional.empty();
    }
    waiting.forEach(steer -> unread.add(steer.steer()));
    waiting.clear();
    return unread;
  }

  private boolean gotBack(SteerId steer) {
    try {
      return files.takeBack(steer);
    } catch (IOException e) {
      LOG.log(
          Level.WARNING,
          "Taking a steer back from a mailbox failed: {0}. The steer stays there.",
          e.getMessage());
      return false;
    }
  }

  /**
   * Reports the acks of the worker, then keeps them. Acks are reported first, because a client
   * waits for them. Returns true if an ack was incomplete.
   */
  boolean readAcks(Consumer<List<AgentEvent>> listener) throws IOException {
    ForeignMessages.MessageBatch acks = files.acks(injected);
    List<AgentEvent> events = new ArrayList<>();
    Map<WorkerMessage, SteerId> read = new LinkedHashMap<>();
    for (WorkerMessage ack : acks.messages()) {
      steerOf(ack)
          .ifPresent(steer -> {
            read.put(ack, steer);
            acked(steer, ack, events);
          });
    }
    if (!events.isEmpty()) {
      listener.accept(events);
    }
    for (Map.Entry<WorkerMessage, SteerId> ack : read.entrySet()) {
      files.keepAck(ack.getKey(), ack.getValue());
    }
    return acks.unfinished();
  }

  /** The events of the settled steers were reported up to this offset. */
  void reportedTo(long offset) {
    settled.forEach(steer -> reported.put(steer, offset));
    settled.clear();
  }

  /** Deletes the acks whose events the ledger has stored. Until then the next hub may need them. */
  void forgetAcks(long keptTo) throws IOException {
    for (var steers = reported.entrySet().iterator(); steers.hasNext(); ) {
      var steer = steers.next();
      if (steer.getValue() <= keptTo) {
        files.forgetAck(steer.getKey());
        steers.remove();
      }
    }
  }

  private Optional<SteerId> steerOf(WorkerMessage ack) {
    try {
      return Optional.of(SteerId.of(ProtocolJson.text(ack.json(), "steer_id")));
    } catch (RefusedException notOne) {
      files.aside(files.steerFolder(), ack.file(), "it acks no steer: " + notOne.getMessage());
      return Optional.empty();
    }
  }

  private void acked(SteerId steer, WorkerMessage ack, List<AgentEvent> events) {
    if (acked.add(steer.value())) {
      overtaken |= current.isPresent() && !current.get().equals(steer);
      events.add(new AgentEvent.SteerAccepted(steer, "the worker's ack"));
    }
    String when = ProtocolJson.text(ack.json(), "injected_at");
    if (!when.isEmpty() && injected.add(steer.value())) {
      settled.add(steer.value());
      events.add(new AgentEvent.SteerInjected(steer, "reported by the worker: " + when));
    }
  }

  /** The worker wrote a message, so it has used every steer that it acked before. */
  List<AgentEvent> onWorkerActivity() {
    List<AgentEvent> events = new ArrayList<>();
    for (String steer : acked) {
      if (injected.add(steer)) {
        settled.add(steer);
        events.add(
            new AgentEvent.SteerInjected(SteerId.of(steer), "the worker went on after its ack"));
      }
    }
    return events;
  }

  /**
   * Writes the next steer if the file is free. Returns true if an acked steer still has to be
   * deleted.
   */
  boolean writePending() throws IOException {
    boolean lingers = release();
    rewriteDeleted();
    writeNext();
    return lingers;
  }

  /**
   * Waits until the acked steer is deleted, then frees the file. A worker that acks first and
   * deletes afterwards would otherwise delete the next steer unread. Returns true if the file is
   * still there.
   */
  private boolean release() throws IOException {
    if (current.isEmpty() || !acked.contains(current.get().value())) {
      return false;
    }
    if (files.unreadSteer().isPresent() && ++checksOfAcked < MAX_CHECKS_OF_ACKED) {
      return true;
    }
    files.forgetSteer();
    checksOfAcked = 0;
    current = Optional.empty();
    return false;
  }

  /**
   * Writes the steer again if the worker deleted it unread. A worker acks a steer before it deletes
   * the file. So if the worker acked another steer and this steer is gone without an ack, the
   * worker deleted the wrong one.
   */
  private void rewriteDeleted() throws IOException {
    boolean unread = current.isPresent() && !acked.contains(current.get().value());
    if (overtaken && unread && currentMessage.isPresent() && files.unreadSteer().isEmpty()) {
      files.writeSteer(currentMessage.get().steer(), currentMessage.get().message());
      overtaken = false;
    }
  }

  private void writeNext() throws IOException {
    if (current.isEmpty() && !waiting.isEmpty()) {
      PendingSteer next = waiting.remove();
      files.writeSteer(next.steer(), next.message());
      current = Optional.of(next.steer());
      currentMessage = Optional.of(next);
      overtaken = false;
    }
  }

  /** Deletes the steer file and the acks, because the run is over. */
  void forget() throws IOException {
    files.forgetSteer();
    files.forgetAcks();
  }
}
