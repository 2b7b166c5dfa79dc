package dev.midcourse.core.loop.queue;

import dev.midcourse.core.Transition;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.loop.CiVerdict;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.finding.Severity;
import dev.midcourse.core.loop.step.LoopFact;
import dev.midcourse.core.loop.step.LoopFact.NotLanded;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a merge queue does next: a total function from a queue and a fact to the next queue, the
 * acts that follow, and what the loops learn.
 *
 * <ul>
 *   <li>The base only becomes a commit that was tested as it is: the head of one loop, or the merge
 *       of several, with the CI command of these loops.
 *   <li>Loops with the same CI command are tested together. If they are red together, the first
 *       half is tested, and so on, until one alone is red: it goes back to its fixer, and the
 *       others land.
 *   <li>The first loop lands first, unless it is red or leaves. Loops with another CI command wait
 *       for their turn.
 *   <li>If the base moves, the merge is made and tested again.
 *   <li>A fact about a trial that is over changes nothing.
 * </ul>
 */
public final class QueueStep {
  /** The number of loops that are tested together. */
  public static final int MAX_BATCH = 8;

  private static final int MAX_FILES = 50;

  private final MergeQueue from;
  private final Instant now;
  private final List<QueueEntry> entries;
  private Optional<MergeTrial> trial;
  private int suspects;
  private int trials;
  private final List<QueueAct> acts = new ArrayList<>();
  private final List<QueueChange.Outcome> outcomes = new ArrayList<>();
  private final List<QueueChange.News> news = new ArrayList<>();

  private QueueStep(MergeQueue from, Instant now) {
    this.from = from;
    this.now = now;
    this.entries = new ArrayList<>(from.entries());
    this.trial = from.trial();
    this.suspects = from.suspects();
    this.trials = from.trials();
  }

  public static Transition<QueueChange> apply(MergeQueue queue, QueueFact fact, Instant now) {
    QueueStep step = new QueueStep(queue, now);
    Optional<String> ignored = step.take(fact);
    return ignored.isPresent()
        ? new Transition.Stale<>(ignored.get())
        : new Transition.Changed<>(step.change());
  }

  private QueueChange change() {
    beginTrial();
    return new QueueChange(
        new MergeQueue(from.key(), entries, trial, suspects, trials), acts, outcomes, news);
  }

  /** Returns why the fact changes nothing; empty if it was taken. */
  private Optional<String> take(QueueFact fact) {
    return switch (fact) {
      case QueueFact.Joined(QueueEntry entry) -> join(entry);
      case QueueFact.Left(LoopId loop) -> leave(loop);
      case QueueFact.Merged it -> current(it.trial(), !isMerged(), its -> merged(its, it));
      case QueueFact.Conflicted it -> current(it.trial(), !isMerged(), its -> conflicted(its, it));
      case QueueFact.Tested it ->
          current(it.trial(), isTested(it.verdict()), its -> tested(its, it));
      case QueueFact.Landed it -> current(it.trial(), isGreen(), its -> landed(its, it.commit()));
      case QueueFact.BaseMoved it -> current(it.trial(), true, this::baseMoved);
      case QueueFact.Blocked it -> current(it.trial(), true, its -> blocked(its, it.why()));
      case QueueFact.TimePassed _ -> timePassed();
    };
  }

  private interface Rule {
    void on(MergeTrial its);
  }

  private Optional<String> current(int number, boolean fits, Rule rule) {
    if (!fits || trial.filter(it -> it.number() == number).isEmpty()) {
      return Optional.of("trial " + number + " is over, or does not wait for this");
    }
    rule.on(trial.get());
    return Optional.empty();
  }

  private boolean isMerged() {
    return trial.filter(it -> it.merged().isPresent()).isPresent();
  }

  private boolean isGreen() {
    return trial.filter(MergeTrial::green).isPresent();
  }

  private boolean isTested(CiVerdict verdict) {
    return trial
        .filter(MergeTrial::isTesting)
        .filter(it -> it.merged().equals(Optional.of(verdict.head())))
        .isPresent();
  }

  // ---- coming and going

  private Optional<String> join(QueueEntry entry) {
    Optional<QueueEntry> known = from.entry(entry.loop());
    if (known.filter(it -> it.head().equals(entry.head())).isPresent()) {
      return Optional.of("it waits already");
    }
    if (known.isPresent()) {
      remove(entry.loop());
    }
    entries.add(entry);
    if (entries.size() > 1) {
      tell(entry.loop(), "waits to land on " + from.key().base() + ", number " + entries.size());
    }
    return Optional.empty();
  }

  private Optional<String> leave(LoopId loop) {
    if (from.entry(loop).isEmpty()) {
      return Optional.of("it does not wait");
    }
    remove(loop);
    return Optional.empty();
  }

  /** Takes a loop out. A trial that it belongs to is given up, because its merge has the loop. */
  private void remove(LoopId loop) {
    int index = from.entries().indexOf(from.entry(loop).orElseThrow());
    if (index < suspects) {
      suspects = 0;
    }
    entries.removeIf(it -> it.loop().equals(loop));
    if (trial.filter(it -> it.members().contains(loop)).isPresent()) {
      giveUp(trial.get());
    }
  }

  private void giveUp(MergeTrial its) {
    if (its.isTesting()) {
      acts.add(new QueueAct.EndTest(its.run()));
    }
    trial = Optional.empty();
  }

  // ---- trials

  private void beginTrial() {
    if (trial.isPresent() || entries.isEmpty()) {
      return;
    }
    int most = suspects == 0 ? MAX_BATCH : Math.max(1, suspects / 2);
    QueueEntry first = entries.getFirst();
    List<LoopId> members =
        entries.stream()
            .takeWhile(it -> it.isTestedLike(first))
            .limit(most)
            .map(QueueEntry::loop)
            .toList();
    trials++;
    trial = Optional.of(MergeTrial.begun(trials, members));
    acts.add(new QueueAct.Merge(trials));
  }

  private void merged(MergeTrial its, QueueFact.Merged fact) {
    QueueEntry first = entry(its.members().getFirst());
    trial =
        Optional.of(
            its.merged(fact.members(), fact.base(), fact.result(), now.plus(first.ciTimeout())));
    boolean isThere = fact.result().equals(fact.base());
    boolean isTested =
        fact.members().size() == 1 && fact.result().equals(first.head()) && first.tested();
    if (isThere) {
      landed(trial.get(), fact.base());
    } else if (isTested) {
      pass(trial.get());
    } else {
      acts.add(new QueueAct.Test(its.number()));
      for (LoopId member : fact.members()) {
        tell(
            member, "its merge with " + from.key().base() + " is tested" + company(fact.members()));
      }
    }
  }

  private static String company(List<LoopId> members) {
    return members.size() == 1 ? "" : ", together with " + (members.size() - 1) + " other loops";
  }

  private void pass(MergeTrial its) {
    trial = Optional.of(its.passed());
    acts.add(new QueueAct.Land(its.number()));
  }

  private void conflicted(MergeTrial its, QueueFact.Conflicted fact) {
    LoopId guilty = its.members().getFirst();
    end(
        guilty,
        new NotLanded("it conflicts with " + from.key().base(), List.of(conflict(fact.files()))));
    suspects = 0;
    trial = Optional.empty();
  }

  private ReportedFinding conflict(List<String> files) {
    String base = from.key().base().value();
    return ReportedFinding.of(
        Optional.empty(),
        0,
        Severity.MAJOR,
        "Branch " + base + " has moved and conflicts with yours",
        "Run: git merge "
            + base
            + "\nResolve the conflicts and commit the merge. They are in: "
            + String.join(", ", files.stream().limit(MAX_FILES).toList()));
  }

  private void tested(MergeTrial its, QueueFact.Tested fact) {
    switch (fact.verdict()) {
      case CiVerdict.Green _ -> pass(its);
      case CiVerdict.Red(_, String summary) -> red(its, summary, fact.findings());
      case CiVerdict.Unavailable(_, String why) ->
          blocked(its, "CI of the merge has no result: " + why);
      case CiVerdict.NotTested(_, String why) -> blocked(its, "the merge was not tested: " + why);
    }
  }

  private void red(MergeTrial its, String summary, List<ReportedFinding> findings) {
    trial = Optional.empty();
    if (its.members().size() > 1) {
      suspects = its.members().size();
      its.members()
          .forEach(it -> tell(it, suspects + " loops are red together; they are tested apart"));
      return;
    }
    suspects = 0;
    String base = from.key().base().value();
    end(
        its.members().getFirst(),
        new NotLanded(
            "CI is red on the merge with " + base + ": " + summary,
            findings.stream().map(it -> ofMerge(it, base)).toList()));
  }

  private static ReportedFinding ofMerge(ReportedFinding it, String base) {
    return new ReportedFinding(
        it.known(),
        it.path(),
        it.line(),
        it.anchor(),
        it.severity(),
        it.title(),
        WireNames.cut(
            "CI found this on the merge of your branch with "
                + base
                + ". Run first: git merge "
                + base
                + "\n"
                + it.body(),
            ReportedFinding.MAX_BODY),
        it.suggestion());
  }

  private void landed(MergeTrial its, String commit) {
    its.members().forEach(it -> end(it, new LoopFact.Landed(commit)));
    suspects = Math.max(0, suspects - its.members().size());
    trial = Optional.empty();
  }

  private void baseMoved(MergeTrial its) {
    giveUp(its);
    its.members().forEach(it -> tell(it, from.key().base() + " has moved; the merge is made anew"));
  }

  private void blocked(MergeTrial its, String why) {
    giveUp(its);
    its.members().forEach(it -> end(it, new NotLanded(why, List.of())));
    suspects = 0;
  }

  private Optional<String> timePassed() {
    Optional<MergeTrial> late =
        trial.filter(MergeTrial::isTesting).filter(it -> it.due().filter(this::isOver).isPresent());
    if (late.isEmpty()) {
      return Optional.of("no time has passed");
    }
    blocked(late.get(), "CI of the merge has not ended in time");
    return Optional.empty();
  }

  private boolean isOver(Instant due) {
    return !now.isBefore(due);
  }

  // ---- results

  private QueueEntry entry(LoopId loop) {
    return from.entry(loop).orElseThrow();
  }

  /** The loop leaves the queue and learns how it ended. */
  private void end(LoopId loop, LoopFact fact) {
    entries.removeIf(it -> it.loop().equals(loop));
    outcomes.add(new QueueChange.Outcome(loop, fact));
  }

  private void tell(LoopId loop, String text) {
    news.add(new QueueChange.News(loop, text));
  }
}
