package dev.midcourse.proof.crash;

import dev.midcourse.proof.crash.check.DrillRecord;
import dev.midcourse.proof.crash.check.SentSteer;
import dev.midcourse.proof.crash.hub.HubProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The requests of a drill about steers and stops, and the answers of all its hubs. Unanswered
 * requests are sent to the next hub again.
 */
final class DrillRequests {
  /**
   * Temporary refusals, after which the steer is sent again: its run or the store is not available
   * yet.
   */
  private static final Set<String> RETRYABLE_CODES = Set.of("not_found", "unavailable");

  /** One of this number of the last stored steers may be withdrawn, edited or replaced. */
  private static final int RECENT = 12;

  private final Map<String, SentSteer> unanswered = new ConcurrentHashMap<>();
  private final Map<String, SentSteer> stored = new ConcurrentHashMap<>();
  private final Map<SentSteer, String> refused = new ConcurrentHashMap<>();
  private final Set<String> withdrawals = ConcurrentHashMap.newKeySet();
  private final Set<String> withdrawn = ConcurrentHashMap.newKeySet();
  private final Map<String, String> edits = new ConcurrentHashMap<>();
  private final Set<String> edited = ConcurrentHashMap.newKeySet();
  private final Set<String> stops = ConcurrentHashMap.newKeySet();
  private final Set<String> unansweredStops = ConcurrentHashMap.newKeySet();
  private final Set<String> stopping = ConcurrentHashMap.newKeySet();

  /** Guarded by itself. */
  private final List<SentSteer> recent = new ArrayList<>();

  private int sent;

  int sent() {
    return sent;
  }

  int stored() {
    return stored.size();
  }

  int unanswered() {
    return unanswered.size();
  }

  long unanswered(String run) {
    return unanswered.values().stream().filter(steer -> steer.run().equals(run)).count();
  }

  void steer(HubProcess hub, String run, String mode) {
    send(hub, SentSteer.numbered(sent, run, mode, Optional.empty()));
  }

  private void send(HubProcess hub, SentSteer steer) {
    sent++;
    unanswered.put(steer.key(), steer);
    hub.say(steer.line());
  }

  /** Sends a steer that replaces an earlier one, if there is one. */
  void replace(HubProcess hub, Random random) {
    aRecent(random)
        .ifPresent(older ->
            send(hub, SentSteer.numbered(sent, older.run(), "steer", Optional.of(older.id()))));
  }

  void withdraw(HubProcess hub, Random random) {
    aRecent(random)
        .filter(steer -> withdrawals.add(steer.id()))
        .ifPresent(steer -> hub.say("withdraw " + steer.id()));
  }

  void edit(HubProcess hub, Random random) {
    aRecent(random)
        .filter(steer -> edits.putIfAbsent(steer.id(), steer.betterText()) == null)
        .ifPresent(steer -> hub.say("edit " + steer.id() + " " + steer.betterText()));
  }

  void stop(HubProcess hub, String run) {
    stops.add(run);
    unansweredStops.add(run);
    hub.say("stop " + run);
  }

  private Optional<SentSteer> aRecent(Random random) {
    synchronized (recent) {
      return recent.isEmpty()
          ? Optional.empty()
          : Optional.of(recent.get(random.nextInt(recent.size())));
    }
  }

  void sayAgain(HubProcess hub) {
    unanswered.values().forEach(steer -> hub.say(steer.line()));
    unansweredStops.forEach(run -> hub.say("stop " + run));
  }

  /** Records an answer, whichever hub sent it. */
  void receive(List<String> words) {
    switch (words.getFirst()) {
      case "stored" -> answered(words.get(1), words.get(2));
      case "refused" -> refused(words.get(1), words.get(2), words.get(3));
      case "withdrawn" -> withdrawn.add(words.get(1));
      case "edited" -> edited.add(words.get(1));
      case "stopping" -> {
        stopping.add(words.get(1));
        unansweredStops.remove(words.get(1));
      }
      default -> {}
    }
  }

  private void answered(String key, String id) {
    SentSteer steer = unanswered.remove(key);
    if (steer == null) {
      return;
    }
    SentSteer itself = steer.answered(id);
    stored.put(key, itself);
    synchronized (recent) {
      recent.add(itself);
      if (recent.size() > RECENT) {
        recent.removeFirst();
      }
    }
  }

  private void refused(String what, String name, String code) {
    if (RETRYABLE_CODES.contains(code)) {
      return;
    }
    if (what.equals("stop")) {
      unansweredStops.remove(name);
    }
    SentSteer steer = what.equals("steer") ? unanswered.remove(name) : null;
    if (steer != null) {
      refused.put(steer, code);
    }
  }

  DrillRecord account() {
    return new DrillRecord(
        List.copyOf(stored.values()),
        Map.copyOf(refused),
        Set.copyOf(withdrawals),
        Set.copyOf(withdrawn),
        Map.copyOf(edits),
        Set.copyOf(edited),
        Set.copyOf(stops),
        Set.copyOf(stopping));
  }
}
