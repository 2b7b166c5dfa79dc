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
 * The steers on their way to a worker. One lies in the file at a time and the others wait in their
 * order, so that none takes the place of another. For one thread at a time.
 */
final class ForeignSteers {
  private static final System.Logger LOG = System.getLogger(ForeignSteers.class.getName());
  private static final int MAX_LINGERING = 10;

  private final ForeignFiles files;
  private final Queue<PendingSteer> waiting = new ArrayDeque<>();
  private final Set<String> acked = new HashSet<>();
  private final Set<String> injected = new HashSet<>();
  private Optional<SteerId> lying = Optional.empty();

  /** What lies there, where we laid it ourselves; to be laid again if it is deleted unread. */
  private Optional<PendingSteer> laid = Optional.empty();

  /** Whether the worker took another steer while this one lay there. */
  private boolean overtaken;

  private int lingering;

  /** Of these nothing more is to be learnt, and it is about to be told. */
  private final List<String> settled = new ArrayList<>();

  /** Of these all is told, up to this offset each; their acks are still kept. */
  private final Map<String, Long> told = new LinkedHashMap<>();

  private record PendingSteer(SteerId steer, String message) {}

  ForeignSteers(ForeignFiles files) {
    this.files = files;
  }

  /** After another hub: what it laid may lie there still. */
  void resume() throws IOException {
    lying = files.steerThatWaits();
  }

  /** Whether it lies there, waits, or was taken. */
  boolean knows(SteerId steer) {
    return acked.contains(steer.value())
        || lying.equals(Optional.of(steer))
        || waiting.stream().anyMatch(other -> other.steer().equals(steer));
  }

  void add(SteerId steer, String message) throws IOException {
    waiting.add(new PendingSteer(steer, message));
    lay();
  }

  /** Takes one back; false when the worker was faster. */
  boolean takeBack(SteerId steer) throws IOException {
    if (waiting.removeIf(other -> other.steer().equals(steer))) {
      return true;
    }
    if (lying.equals(Optional.of(steer)) && files.takeBack(steer)) {
      lying = Optional.empty();
      lay();
      return true;
    }
    return false;
  }

  /** The worker ended its turn: what it did not read goes with the next, and only there. */
  List<SteerId> takeBackUnread() {
    List<SteerId> unread = new ArrayList<>();
    if (lying.filter(steer -> !acked.contains(steer.value()) && gotBack(steer)).isPresent()) {
      unread.add(lying.get());
      lying = Optional.empty();
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
   * Tells what the worker's acks say; true when one was not finished yet. They are told of before
   * anything else is done with them: whoever steered waits for it.
   */
  boolean hearAcks(Consumer<List<AgentEvent>> ear) throws IOException {
    ForeignMessages.Post acks = files.acks(injected);
    List<AgentEvent> events = new ArrayList<>();
    Map<WorkerMessage, SteerId> read = new LinkedHashMap<>();
    for (WorkerMessage ack : acks.letters()) {
      steerOf(ack)
          .ifPresent(steer -> {
            read.put(ack, steer);
            acked(steer, ack, events);
          });
    }
    if (!events.isEmpty()) {
      ear.accept(events);
    }
    for (Map.Entry<WorkerMessage, SteerId> ack : read.entrySet()) {
      files.keepAck(ack.getKey(), ack.getValue());
    }
    return acks.unfinished();
  }

  /** What is known by now was told up to this offset. */
  void toldTo(long offset) {
    settled.forEach(steer -> told.put(steer, offset));
    settled.clear();
  }

  /** An ack is kept until the ledger has all that it says: the next hub may need it. */
  void forgetAcks(long keptTo) throws IOException {
    for (var steers = told.entrySet().iterator(); steers.hasNext(); ) {
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
      overtaken |= lying.isPresent() && !lying.get().equals(steer);
      events.add(new AgentEvent.SteerAccepted(steer, "the worker's ack"));
    }
    String when = ProtocolJson.text(ack.json(), "injected_at");
    if (!when.isEmpty() && injected.add(steer.value())) {
      settled.add(steer.value());
      events.add(new AgentEvent.SteerInjected(steer, "reported by the worker: " + when));
    }
  }

  /** The worker said something: whatever it had acked before it has taken in. */
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

  /** Lays what can be laid; true when one that was taken is still to go. */
  boolean writePending() throws IOException {
    boolean lingers = letGo();
    layAgain();
    lay();
    return lingers;
  }

  /**
   * The next steer may only be laid where the last one is gone: a worker that acks first and
   * deletes then would delete the next one unread. True when it is still to go.
   */
  private boolean letGo() throws IOException {
    if (lying.isEmpty() || !acked.contains(lying.get().value())) {
      return false;
    }
    if (files.steerThatWaits().isPresent() && ++lingering < MAX_LINGERING) {
      return true;
    }
    files.forgetSteer();
    lingering = 0;
    lying = Optional.empty();
    return false;
  }

  /**
   * A worker acks before it deletes. So when it took the steer before this one and this one is gone
   * without an ack, it was deleted in place of that one, unread.
   */
  private void layAgain() throws IOException {
    boolean unread = lying.isPresent() && !acked.contains(lying.get().value());
    if (overtaken && unread && laid.isPresent() && files.steerThatWaits().isEmpty()) {
      files.writeSteer(laid.get().steer(), laid.get().message());
      overtaken = false;
    }
  }

  private void lay() throws IOException {
    if (lying.isEmpty() && !waiting.isEmpty()) {
      PendingSteer next = waiting.remove();
      files.writeSteer(next.steer(), next.message());
      lying = Optional.of(next.steer());
      laid = Optional.of(next);
      overtaken = false;
    }
  }

  /** The run is over: no file of ours is left for its worker. */
  void forget() throws IOException {
    files.forgetSteer();
    files.forgetAcks();
  }
}
