package dev.midcourse.proof.crash.loop;

import dev.midcourse.core.loop.CallKind;
import dev.midcourse.core.loop.Guidance;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopCall;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.RunQuery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Decides what became of every loop and of all guidance, from the ledger, the repository, and the
 * notes of agents and CI. It shares no code with the loops except the records of the ledger.
 */
final class LoopChecker {
  private static final int EVERYTHING = 100_000;

  private final DrillRepository repository;
  private final List<Loop> loops;
  private final Map<String, Run> runs;
  private final List<String> troubles = new ArrayList<>();

  LoopChecker(Ledger ledger, DrillRepository repository) {
    this.repository = repository;
    this.loops = ledger.read(reading -> reading.loops().newest(EVERYTHING));
    this.runs =
        ledger.read(reading -> reading.runs(RunQuery.newest(EVERYTHING))).stream()
            .collect(Collectors.toMap(run -> run.id().value(), Function.identity()));
    if (!ledger.read(reading -> reading.loops().queues()).isEmpty()) {
      troubles.add("a loop still waits in a merge queue");
    }
  }

  /**
   * Returns the troubles.
   *
   * @param branches the branches of all loops that were ordered
   * @param stored the steers whose storage was acknowledged, and their branches
   */
  List<String> check(Set<String> branches, Map<String, String> stored)
      throws IOException, InterruptedException {
    Map<String, Long> subjects =
        repository.git("log --format=%s main").stream()
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    for (String branch : branches) {
      List<Loop> its =
          loops.stream().filter(it -> it.spec().branch().value().equals(branch)).toList();
      if (its.size() != 1) {
        troubles.add(branch + " has " + its.size() + " loops");
        continue;
      }
      checkEnd(its.getFirst());
      for (String subject : List.of("write " + branch, "fix " + branch)) {
        long times = subjects.getOrDefault(subject, 0L);
        if (times != 1) {
          troubles.add("main has the commit '" + subject + "' " + times + " times");
        }
      }
    }
    checkRuns();
    for (Map.Entry<String, String> steer : stored.entrySet()) {
      checkGuidance(steer.getKey(), steer.getValue());
    }
    checkMain();
    return troubles;
  }

  /** A loop is done on evidence about its last commit, and on nothing else. */
  private void checkEnd(Loop loop) throws IOException {
    if (loop.phase() != LoopPhase.DONE) {
      troubles.add("lost: " + loop.id() + " is " + loop.phase() + " " + loop.parking());
      return;
    }
    String head = loop.head().orElse("");
    boolean green =
        loop.calls().stream()
            .filter(it -> it.kind() == CallKind.CI && it.head().orElse("").equals(head))
            .anyMatch(it -> isState(it, RunState.DONE));
    boolean reviewed =
        loop.calls().stream()
            .filter(it -> it.kind() == CallKind.REVIEW && it.head().orElse("").equals(head))
            .anyMatch(it -> isState(it, RunState.DONE));
    boolean needsReview = !loop.spec().reviewer().name().equals("none");
    if (!green || !repository.wasGreen(head)) {
      troubles.add("false clean: CI was never green for " + head + " of " + loop.id());
    }
    if (needsReview && (!reviewed || !loop.isReviewed())) {
      troubles.add("false clean: nobody reviewed " + head + " of " + loop.id());
    }
  }

  private boolean isState(LoopCall call, RunState state) {
    Run run = runs.get(call.run().value());
    return run != null && run.state() == state;
  }

  /** Every run is that of one call or of one merge, and has ended. */
  private void checkRuns() {
    Set<String> ordered = new HashSet<>();
    for (Loop loop : loops) {
      for (LoopCall call : loop.calls()) {
        if (!ordered.add(call.run().value())) {
          troubles.add("doubled: two calls have run " + call.run());
        }
        if (call.isOpen()) {
          troubles.add("lost: call " + call.number() + " of " + loop.id() + " is open");
        }
      }
      long works = loop.calls().stream().filter(it -> it.kind() == CallKind.IMPLEMENT).count();
      if (works != 1) {
        troubles.add("doubled: " + loop.id() + " was implemented " + works + " times");
      }
    }
    for (Run run : runs.values()) {
      if (!ordered.contains(run.id().value()) && !run.id().value().contains("-merge-")) {
        troubles.add("stray: no call has run " + run.id());
      }
      if (run.state().live()) {
        troubles.add("run " + run.id() + " has not ended");
      }
    }
  }

  /** Guidance that was stored is carried out once, unless the loop had ended before. */
  private void checkGuidance(String steer, String branch) throws IOException {
    List<Guidance> its =
        loops.stream()
            .flatMap(loop -> loop.guidance().stream())
            .filter(it -> it.id().value().equals(steer))
            .toList();
    if (its.size() != 1) {
      troubles.add("steer " + steer + " of " + branch + " is stored " + its.size() + " times");
      return;
    }
    boolean tooLate = its.getFirst().ended().isPresent() && its.getFirst().bindings().isEmpty();
    long times = repository.timesGiven(steer);
    if (times != (tooLate ? 0 : 1)) {
      troubles.add(
          "steer %s of %s was carried out %d times: %s"
              .formatted(steer, branch, times, its.getFirst()));
    }
  }

  /** Main only ever was what CI had found green as it is, and nobody's files have changed. */
  private void checkMain() throws IOException, InterruptedException {
    List<String> past = repository.pastOfMain();
    for (String commit : past.subList(0, past.size() - 1)) {
      if (!repository.wasGreen(commit)) {
        troubles.add("main was " + commit + ", which was never tested or red");
      }
    }
    if (past.stream().distinct().count() != past.size()) {
      troubles.add("main was moved to the same commit twice: " + past);
    }
    List<String> changes = repository.git("status --porcelain");
    if (!changes.isEmpty()) {
      troubles.add("the checkout of the user has changes: " + changes);
    }
  }
}
