package dev.midcourse.core.loop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Samples;
import dev.midcourse.core.Transition;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.loop.CiVerdict;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.finding.Severity;
import dev.midcourse.core.loop.step.LoopFact;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A merge queue that a test leads through facts, one after the other. */
final class QueueTrial {
  static final String CI = "make test";

  MergeQueue queue =
      MergeQueue.empty(new QueueKey(HostName.of("host-1"), "/src/shop", BranchName.of("main")));
  Instant now = Samples.START;
  List<QueueAct> acts = List.of();

  /** How it ended for each loop that has left, the newest last. */
  final Map<LoopId, LoopFact> outcomes = new LinkedHashMap<>();

  final List<LoopId> landed = new ArrayList<>();

  static LoopId id(String name) {
    return LoopId.of(name);
  }

  static QueueEntry entry(String name, String ci, boolean tested) {
    return new QueueEntry(
        id(name),
        "head-" + name,
        BranchName.of("work-" + name),
        ci,
        WorkerName.of("any"),
        Samples.ANNA,
        tested,
        Duration.ofMinutes(90),
        Samples.START);
  }

  QueueTrial apply(QueueFact fact) {
    Transition<QueueChange> step = QueueStep.apply(queue, fact, now);
    assertThat(step).as("%s on %s", fact, queue).isInstanceOf(Transition.Changed.class);
    QueueChange change = ((Transition.Changed<QueueChange>) step).next();
    queue = change.next();
    acts = change.acts();
    for (QueueChange.Outcome outcome : change.outcomes()) {
      outcomes.put(outcome.loop(), outcome.fact());
      if (outcome.fact() instanceof LoopFact.Landed) {
        landed.add(outcome.loop());
      }
    }
    return this;
  }

  void ignored(QueueFact fact) {
    assertThat(QueueStep.apply(queue, fact, now)).isInstanceOf(Transition.Stale.class);
  }

  QueueTrial joins(String... names) {
    for (String name : names) {
      apply(new QueueFact.Joined(entry(name, CI, true)));
    }
    return this;
  }

  QueueTrial leaves(String name) {
    return apply(new QueueFact.Left(id(name)));
  }

  /** The trial is merged as a whole, onto a base with this name. */
  QueueTrial merged(String base) {
    return apply(new QueueFact.Merged(number(), base, "merge-" + number(), trial().members()));
  }

  QueueTrial green() {
    apply(new QueueFact.Tested(number(), new CiVerdict.Green(result()), List.of()));
    return apply(new QueueFact.Landed(number(), result()));
  }

  QueueTrial red() {
    return apply(
        new QueueFact.Tested(
            number(),
            new CiVerdict.Red(result(), "1 finding"),
            List.of(
                ReportedFinding.of(
                    Optional.of("a.txt"), 3, Severity.MAJOR, "Test failed: a", "log"))));
  }

  MergeTrial trial() {
    return queue.trial().orElseThrow();
  }

  int number() {
    return trial().number();
  }

  String result() {
    return trial().merged().orElseThrow();
  }

  List<String> members() {
    return queue
        .trial()
        .map(it -> it.members().stream().map(LoopId::value).toList())
        .orElse(List.of());
  }

  List<String> waiting() {
    return queue.entries().stream().map(it -> it.loop().value()).toList();
  }

  LoopFact.NotLanded notLanded(String name) {
    return (LoopFact.NotLanded) outcomes.get(id(name));
  }
}
