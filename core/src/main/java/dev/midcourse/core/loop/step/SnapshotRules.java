package dev.midcourse.core.loop.step;

import dev.midcourse.core.loop.CiVerdict;
import dev.midcourse.core.loop.LoopCheck;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.LoopReviewer.OfLogin;
import dev.midcourse.core.loop.ReviewVerdict;
import dev.midcourse.core.loop.finding.Finding;
import dev.midcourse.core.loop.finding.FindingId;
import dev.midcourse.core.loop.finding.FindingState;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeOrder;
import dev.midcourse.core.loop.forge.RemoteRemark;
import dev.midcourse.core.loop.remote.RemoteChecks;
import dev.midcourse.core.loop.remote.RemoteRemarks;
import dev.midcourse.core.loop.remote.RemoteRemarks.Remark;
import dev.midcourse.core.loop.remote.RemoteReviews;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Takes a complete snapshot of the newest commit over: its remarks, and what it says of the code.
 */
final class SnapshotRules {
  private SnapshotRules() {}

  static void take(LoopEditor draft, ChangeSnapshot snapshot) {
    ForgeEditor forge = draft.remote();
    ForgeOrder order = draft.from.spec().forge().orElseThrow();
    List<Remark> open =
        order.onlyCi()
            ? List.of()
            : RemoteRemarks.open(snapshot, forge.state(), login(draft).map(OfLogin::login));
    takeRemarks(draft, open);
    takeChecks(draft, snapshot, order);
    takeReview(draft, snapshot, open);
    takeActivity(draft, snapshot);
    forge.seen = Optional.of(snapshot.head());
  }

  private static Optional<OfLogin> login(LoopEditor draft) {
    LoopReviewer reviewer = draft.from.spec().reviewer();
    return reviewer instanceof OfLogin login ? Optional.of(login) : Optional.empty();
  }

  // ---- remarks

  private static void takeRemarks(LoopEditor draft, List<Remark> open) {
    ForgeEditor forge = draft.remote();
    Map<String, RemoteRemark> known = new HashMap<>();
    forge.remarks.forEach(it -> known.put(it.key(), it));
    Set<String> waiting = new HashSet<>();
    Map<String, List<Remark>> raised = new HashMap<>();
    for (Remark remark : open) {
      Optional<RemoteRemark> before = Optional.ofNullable(known.get(remark.key()));
      if (waits(draft, remark, before)) {
        waiting.add(remark.key());
      } else if (isRaised(remark, before)) {
        raised.computeIfAbsent(remark.source(), _ -> new ArrayList<>()).add(remark);
      }
    }
    forge.changeRemarks(it -> it.waiting(waiting.contains(it.key())));
    Set<FindingId> held =
        forge.remarks.stream()
            .filter(RemoteRemark::waits)
            .map(RemoteRemark::finding)
            .collect(Collectors.toSet());
    Set<String> sources = new TreeSet<>(raised.keySet());
    forge.remarks.stream()
        .flatMap(it -> draft.findings.get(it.finding()).stream())
        .map(Finding::source)
        .forEach(sources::add);
    for (String source : sources) {
      look(draft, source, raised.getOrDefault(source, List.of()), held);
    }
  }

  /** Whether the remark is open at the forge, and the next word is that of its author. */
  private static boolean waits(LoopEditor draft, Remark remark, Optional<RemoteRemark> before) {
    if (before.isEmpty() || !before.get().answered()) {
      return false;
    }
    if (remark.thread().isPresent()) {
      return remark.oursLast();
    }
    FindingState state =
        draft.findings.get(before.get().finding()).map(Finding::state).orElse(FindingState.OPEN);
    return remark.blocks() || state == FindingState.DISPUTED || state == FindingState.DEFERRED;
  }

  /** A text that is not a thread cannot be taken up again: a new one is another remark. */
  private static boolean isRaised(Remark remark, Optional<RemoteRemark> before) {
    boolean answered = before.filter(RemoteRemark::answered).isPresent();
    return remark.thread().isPresent() ? !remark.oursLast() : !answered;
  }

  private static void look(
      LoopEditor draft, String source, List<Remark> remarks, Set<FindingId> held) {
    ForgeEditor forge = draft.remote();
    int round = draft.check.orElseThrow().round();
    List<ReportedFinding> reports = remarks.stream().map(Remark::report).toList();
    draft.findings =
        draft.findings.afterLook(source, reports, round, it -> !held.contains(it.id()));
    for (Remark remark : remarks) {
      FindingId finding = draft.findings.find(source, remark.report()).orElseThrow();
      forge.remarks.stream()
          .filter(it -> it.key().equals(remark.key()))
          .findFirst()
          .ifPresentOrElse(
              _ ->
                  forge.changeRemarks(
                      it -> it.key().equals(remark.key()) && it.answered() ? it.reopened() : it),
              () -> forge.remarks.add(RemoteRemark.found(remark.key(), remark.thread(), finding)));
    }
  }

  // ---- verdicts

  private static void takeChecks(LoopEditor draft, ChangeSnapshot snapshot, ForgeOrder order) {
    LoopCheck check = draft.check.orElseThrow();
    if (check.ci().filter(CiVerdict.NotTested.class::isInstance).isPresent()) {
      return; // a person has skipped it
    }
    boolean verified = draft.remote().verified.equals(Optional.of(check.head()));
    Optional<CiVerdict> verdict =
        RemoteChecks.verdict(
            snapshot.checks(), order, check.head(), check.since(), draft.now, verified);
    if (verdict.isPresent() && !verdict.equals(check.ci())) {
      draft.tell("CI: " + VerdictRules.ciText(verdict.get()) + noCi(snapshot, order));
    }
    if (verdict.filter(it -> !(it instanceof CiVerdict.Unavailable)).isPresent()) {
      List<ReportedFinding> failed = RemoteChecks.findings(snapshot.checks(), order);
      draft.findings = draft.findings.afterLook(Finding.CHECKS, failed, check.round(), _ -> true);
    }
    draft.check = Optional.of(check.withCi(verdict));
  }

  private static String noCi(ChangeSnapshot snapshot, ForgeOrder order) {
    return snapshot.checks().stream().anyMatch(order::counts) ? "" : " (no CI reported)";
  }

  private static void takeReview(LoopEditor draft, ChangeSnapshot snapshot, List<Remark> open) {
    LoopCheck check = draft.check.orElseThrow();
    boolean skipped =
        check.review().filter(ReviewVerdict.NotReviewed.class::isInstance).isPresent();
    if (login(draft).isEmpty() || skipped) {
      return;
    }
    String source = draft.from.spec().reviewer().name();
    long raised =
        open.stream().filter(it -> it.source().equalsIgnoreCase(source) && !it.oursLast()).count();
    Optional<ReviewVerdict> verdict =
        RemoteReviews.verdict(
            snapshot, login(draft).get().login(), check.since(), draft.now, (int) raised);
    if (verdict.isPresent() && !verdict.equals(check.review())) {
      draft.tell(text(verdict.get()));
    }
    draft.check = Optional.of(check.withReview(verdict));
  }

  private static String text(ReviewVerdict verdict) {
    return switch (verdict) {
      case ReviewVerdict.Clean it -> it.reviewer() + " found nothing to fix";
      case ReviewVerdict.WithFindings it -> it.reviewer() + " has " + it.count() + " findings";
      case ReviewVerdict.Unavailable it -> "no review: " + it.why();
      case ReviewVerdict.NotReviewed it -> "not reviewed: " + it.why();
    };
  }

  /** A word of somebody else begins the quiet time before the merge anew. */
  private static void takeActivity(LoopEditor draft, ChangeSnapshot snapshot) {
    ForgeEditor forge = draft.remote();
    int activity = RemoteRemarks.activity(snapshot, forge.state());
    boolean heard = activity != forge.activity;
    forge.activity = activity;
    if (heard && draft.phase == LoopPhase.LAND) {
      forge.quietFrom = Optional.of(draft.now);
    }
  }
}
