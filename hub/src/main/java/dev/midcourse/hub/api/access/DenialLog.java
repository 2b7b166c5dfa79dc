package dev.midcourse.hub.api.access;

import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * Logs refusals for lack of authority. A new refusal is stored before the caller gets the answer.
 * Repetitions within a minute, and more than 50 different refusals of one caller in a minute, are
 * counted; the count is stored with the first refusal after that minute. So a flood does not fill
 * the log. A hub that is killed loses counts, never a new refusal.
 */
public final class DenialLog {
  static final Duration PERIOD = Duration.ofMinutes(1);

  /** The maximum of different refusals of one caller that are logged one by one in a period. */
  static final int MAX_LOGGED = 50;

  /** The maximum of remembered callers; the count of the oldest is logged early. */
  static final int MAX_CALLERS = 1_000;

  private static final String OTHER_ACTIONS = "do other things";

  private final Ledger ledger;
  private final InstantSource clock;

  /** Guarded by itself; in the order of their beginnings. */
  private final SequencedMap<Caller, Spell> spells = new LinkedHashMap<>();

  public DenialLog(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  private record Refusal(RunId run, String what, String why) {}

  /** The refusals of one caller since the start of its period, with the number of counted ones. */
  private record Spell(Instant since, Map<Refusal, Integer> counted) {}

  private record Entry(RunId run, RunEvent.Denied event) {}

  public void note(Caller caller, RunId run, String what, String why) {
    Instant now = clock.instant();
    List<Entry> entries = entries(caller, new Refusal(run, what, why), now);
    if (!entries.isEmpty()) {
      ledger.write(tx -> {
        entries.forEach(entry -> tx.append(entry.run(), now, entry.event()));
        return entries.size();
      });
    }
  }

  private List<Entry> entries(Caller caller, Refusal refusal, Instant now) {
    List<Entry> entries = new ArrayList<>();
    synchronized (spells) {
      while (!spells.isEmpty() && isOver(spells.firstEntry().getValue(), now)) {
        Map.Entry<Caller, Spell> over = spells.pollFirstEntry();
        entries.addAll(counted(over.getKey(), over.getValue()));
      }
      Spell spell = spells.computeIfAbsent(caller, _ -> new Spell(now, new LinkedHashMap<>()));
      if (spells.size() > MAX_CALLERS) {
        Map.Entry<Caller, Spell> longestAgo = spells.pollFirstEntry();
        entries.addAll(counted(longestAgo.getKey(), longestAgo.getValue()));
      }
      if (spell.counted().containsKey(refusal)) {
        spell.counted().merge(refusal, 1, Integer::sum);
      } else if (spell.counted().size() < MAX_LOGGED) {
        spell.counted().put(refusal, 0);
        entries.add(entry(caller, refusal, 1));
      } else {
        spell.counted().merge(others(), 1, Integer::sum);
      }
    }
    return entries;
  }

  private static boolean isOver(Spell spell, Instant now) {
    return !now.isBefore(spell.since().plus(PERIOD));
  }

  private static List<Entry> counted(Caller caller, Spell spell) {
    return spell.counted().entrySet().stream()
        .filter(counted -> counted.getValue() > 0)
        .map(counted -> entry(caller, counted.getKey(), counted.getValue()))
        .toList();
  }

  private static Refusal others() {
    return new Refusal(
        AccessControl.NO_RUN,
        OTHER_ACTIONS,
        "more than %d different refusals within %d s".formatted(MAX_LOGGED, PERIOD.toSeconds()));
  }

  private static Entry entry(Caller caller, Refusal refusal, int times) {
    return new Entry(
        refusal.run(),
        new RunEvent.Denied(
            caller.author(),
            refusal.what(),
            refusal.why(),
            times > 1 ? Optional.of(times) : Optional.empty()));
  }
}
