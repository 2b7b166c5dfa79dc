package dev.midcourse.proof.crash;

import dev.midcourse.agents.rehearsal.program.Note;
import dev.midcourse.agents.rehearsal.program.Transcript;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.steer.End;
import dev.midcourse.core.steer.Mode;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.ledger.Ledger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Decides what became of every steer that a hub called stored, by what the agents wrote down
 * themselves. It shares nothing with the engine but the ledger's records.
 */
final class Checker {
  private static final Pattern FRAMED = Pattern.compile("\\[midcourse steer ([0-9a-f-]{36}) from ");

  private final Path folder;
  private final DrillStore store;
  private final List<CrashDrill.Sent> stored;
  private final List<CrashDrill.Sent> refused;
  private final List<String> lost = new ArrayList<>();
  private final List<String> doubled = new ArrayList<>();
  private final List<String> outOfOrder = new ArrayList<>();
  private final List<String> falseReceipts = new ArrayList<>();

  Checker(
      Path folder, DrillStore store, List<CrashDrill.Sent> stored, List<CrashDrill.Sent> refused) {
    this.folder = folder;
    this.store = store;
    this.stored = stored;
    this.refused = refused;
  }

  Findings check(
      CrashDrill.Extent extent, int kills, int agentsKilled, Map<FaultPoint, Integer> faults)
      throws IOException {
    Map<String, Long> ends = new TreeMap<>();
    try (Ledger ledger = store.open(folder)) {
      for (String run : stored.stream().map(CrashDrill.Sent::run).distinct().toList()) {
        check(ledger, run, ends);
      }
      for (CrashDrill.Sent steer : stored) {
        acknowledged(steer, ledger.read(r -> r.steer(SteerId.of(steer.id()))));
      }
    }
    DrillProcesses processes = new DrillProcesses("drill-" + extent.seed() + "-");
    return new Findings(
        extent,
        kills,
        agentsKilled,
        faults,
        stored.size(),
        refused.size(),
        ends,
        lost,
        doubled,
        outOfOrder,
        falseReceipts,
        processes.alive().stream()
            .map(p -> p.pid() + " " + p.info().commandLine().orElse("?"))
            .toList());
  }

  private void check(Ledger ledger, String run, Map<String, Long> ends) throws IOException {
    List<Steer> steers = ledger.read(r -> r.steers(RunId.of(run)));
    List<SteerId> taken = taken(run);
    for (Steer steer : steers) {
      ends.merge(steer.ended().map(e -> e.how().wire()).orElse("open"), 1L, Long::sum);
      judge(steer, taken.stream().filter(steer.id()::equals).count());
    }
    List<Long> order =
        taken.stream()
            .flatMap(id -> steers.stream().filter(s -> s.id().equals(id)))
            .filter(s -> s.mode() == Mode.STEER)
            .map(Steer::seq)
            .toList();
    if (!order.equals(order.stream().sorted().toList())) {
      outOfOrder.add(run + " took " + order);
    }
  }

  /** What was called stored is there, and it is what was sent. */
  private void acknowledged(CrashDrill.Sent sent, Optional<Steer> kept) {
    String name = sent.key() + " of " + sent.run();
    if (kept.isEmpty()) {
      lost.add(name + " is not in the ledger");
    } else if (!kept.get().key().map(Object::toString).equals(Optional.of(sent.key()))
        || !kept.get().run().value().equals(sent.run())) {
      falseReceipts.add(name + " was answered with the receipt of another: " + kept.get());
    }
  }

  private void judge(Steer steer, long times) {
    String name = steer.key().map(Object::toString).orElse("?") + " of " + steer.run();
    Optional<End> ended = steer.ended().map(e -> e.how());
    boolean claimsInjected = steer.reached(Rung.INJECTED);
    if (times > 1) {
      doubled.add(name + ", " + times + " times");
    }
    if (ended.isEmpty()) {
      lost.add(name + " is still open at " + steer.rung().wire());
    }
    if (claimsInjected && times == 0) {
      falseReceipts.add(name + " claims injected, the agent never had it");
    }
    boolean delivered =
        ended.equals(Optional.of(End.ANSWERED)) || ended.equals(Optional.of(End.CARRIED));
    if (delivered && times == 0) {
      lost.add(name + " ended " + ended.get().wire() + ", the agent never had it");
    }
    if (!delivered && times > 0 && ended.isPresent()) {
      falseReceipts.add(name + " ended " + ended.get().wire() + ", but the agent had it");
    }
    if (!delivered && ended.isPresent()) {
      lost.add(name + " ended " + ended.get().wire() + ": " + steer.ended().get().reason());
    }
  }

  /** Every steer that a conversation of the run took in, in the order in which it did. */
  private List<SteerId> taken(String run) throws IOException {
    Path home = folder.resolve("runs").resolve(run).resolve("home");
    List<SteerId> ids = new ArrayList<>();
    for (SessionId session : sessions(home)) {
      for (Note note : Transcript.notes(home, session)) {
        switch (note) {
          case Note.Took took -> ids.add(took.steer());
          case Note.Opened opened -> ids.addAll(framed(opened.message()));
          case Note.Called _, Note.StepDone _, Note.Ended _ -> {}
        }
      }
    }
    return ids;
  }

  private static List<SteerId> framed(String message) {
    List<SteerId> ids = new ArrayList<>();
    Matcher frame = FRAMED.matcher(message);
    while (frame.find()) {
      ids.add(SteerId.of(frame.group(1)));
    }
    return ids;
  }

  private static List<SessionId> sessions(Path home) throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".jsonl"))
          .map(name -> SessionId.of(name.substring(0, name.length() - ".jsonl".length())))
          .sorted(Comparator.comparing(SessionId::value))
          .toList();
    }
  }
}
