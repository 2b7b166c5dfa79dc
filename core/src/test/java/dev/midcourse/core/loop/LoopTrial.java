package dev.midcourse.core.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Samples;
import dev.midcourse.core.Transition;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.loop.finding.FindingId;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.finding.ReviewReport;
import dev.midcourse.core.loop.finding.Severity;
import dev.midcourse.core.loop.forge.ForgeOrder;
import dev.midcourse.core.loop.step.CallEnd;
import dev.midcourse.core.loop.step.CommitState;
import dev.midcourse.core.loop.step.LoopAct;
import dev.midcourse.core.loop.step.LoopChange;
import dev.midcourse.core.loop.step.LoopCommand;
import dev.midcourse.core.loop.step.LoopFact;
import dev.midcourse.core.loop.step.LoopStep;
import dev.midcourse.core.steer.SteerText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A loop that a test leads through facts, one after the other. */
final class LoopTrial {
  static final String BASE = "ba5e" + "0".repeat(36);

  Loop loop;
  Instant now = Samples.START;
  List<LoopAct> acts = List.of();
  final List<String> news = new ArrayList<>();
  private int commits;
  private String tip = BASE;
  private int steers;

  LoopTrial(Loop loop) {
    this.loop = loop;
  }

  /** A loop with a reviewing agent and a command for CI. */
  static LoopTrial created() {
    return created("codex", Optional.of("make test"), LoopBudget.DEFAULT);
  }

  static LoopTrial created(String reviewer, Optional<String> ci, LoopBudget budget) {
    return new LoopTrial(
        Loop.created(
            LoopId.of("fix-login-a2b3"),
            new LoopSpec(
                HostName.of("host-1"),
                "/src/shop",
                BranchName.of("main"),
                BranchName.of("fix-login"),
                WorkerName.of("any"),
                AgentName.of("claude"),
                LoopReviewer.parse(reviewer),
                ci,
                Duration.ofMinutes(60),
                Duration.ofMinutes(90)),
            budget,
            false,
            "Fix the login.",
            Samples.ANNA,
            Samples.START));
  }

  /** A loop with a change at a forge. */
  static LoopTrial atForge(String reviewer, Optional<String> ci, ForgeOrder order, boolean land) {
    return new LoopTrial(
        Loop.created(
            LoopId.of("fix-login-a2b3"),
            new LoopSpec(
                HostName.of("host-1"),
                "/src/shop",
                BranchName.of("main"),
                BranchName.of("fix-login"),
                WorkerName.of("any"),
                AgentName.of("claude"),
                LoopReviewer.parse(reviewer),
                ci,
                Duration.ofMinutes(60),
                Duration.ofMinutes(90),
                Optional.of(order)),
            LoopBudget.DEFAULT,
            land,
            "Fix the login.\nIt is broken.",
            Samples.ANNA,
            Samples.START));
  }

  static LoopTrial withBudget(int fixes, int reviews) {
    return created(
        "codex",
        Optional.of("make test"),
        new LoopBudget(fixes, reviews, Optional.empty(), Optional.empty(), Optional.empty()));
  }

  /** A loop whose first commit is being checked. */
  static LoopTrial checking() {
    return created().prepared().works();
  }

  Transition<LoopChange> attempt(LoopFact fact) {
    return LoopStep.apply(loop, fact, now);
  }

  LoopTrial apply(LoopFact fact) {
    Transition<LoopChange> step = attempt(fact);
    assertThat(step).isInstanceOf(Transition.Changed.class);
    LoopChange change = ((Transition.Changed<LoopChange>) step).next();
    loop = change.next();
    acts = change.acts();
    news.addAll(change.news());
    return this;
  }

  Problem refused(LoopFact fact) {
    Transition<LoopChange> step = attempt(fact);
    assertThat(step).isInstanceOf(Transition.Rejected.class);
    return ((Transition.Rejected<LoopChange>) step).problem();
  }

  void ignored(LoopFact fact) {
    assertThat(attempt(fact)).isInstanceOf(Transition.Stale.class);
  }

  LoopTrial later(Duration time) {
    now = now.plus(time);
    return this;
  }

  // ---- facts

  LoopTrial prepared() {
    return apply(new LoopFact.Prepared(BASE, state(BASE)));
  }

  static CommitState state(String commit) {
    return new CommitState(commit, "tree-" + commit, true, true, true, List.of(), List.of());
  }

  /** The agent at work commits something new and answers every finding with "fixed". */
  LoopTrial works() {
    return works(answers("fixed", ""));
  }

  LoopTrial works(String text) {
    tip = "%040x".formatted(0xc0ffee00L + ++commits);
    return workEnds(text, state(tip));
  }

  LoopTrial workEnds(String text, CommitState state) {
    return apply(
        new LoopFact.WorkEnded(work(), new CallEnd.Answered(text), state, Usage.NOTHING, Set.of()));
  }

  LoopTrial workEnds(CallEnd end, Set<SteerId> notOffered) {
    return apply(new LoopFact.WorkEnded(work(), end, state(head()), Usage.NOTHING, notOffered));
  }

  /** The same answer to all findings that the work was given. */
  String answers(String kind, String why) {
    String lines =
        loop.openWork().orElseThrow().given().stream()
            .map(id -> "{\"id\":\"%s\",\"answer\":\"%s\",\"why\":\"%s\"}".formatted(id, kind, why))
            .collect(Collectors.joining(","));
    return "<answers>{\"findings\":[" + lines + "]}</answers>";
  }

  LoopTrial finds(ReportedFinding... findings) {
    return reviews(new ReviewReport.WithFindings(List.of(findings), 0));
  }

  LoopTrial findsNothing() {
    return reviews(new ReviewReport.NoFindings());
  }

  LoopTrial reviews(ReviewReport report) {
    return apply(
        new LoopFact.ReviewEnded(
            review(),
            new CallEnd.Answered("..."),
            Optional.of(report),
            head(),
            Usage.NOTHING,
            Set.of()));
  }

  LoopTrial reviewFails(String why) {
    return apply(
        new LoopFact.ReviewEnded(
            review(), new CallEnd.Failed(why), Optional.empty(), head(), Usage.NOTHING, Set.of()));
  }

  LoopTrial green() {
    return apply(new LoopFact.CiEnded(ci(), new CiVerdict.Green(head()), List.of()));
  }

  LoopTrial red(String what) {
    return apply(
        new LoopFact.CiEnded(
            ci(),
            new CiVerdict.Red(head(), what),
            List.of(ReportedFinding.of(Optional.empty(), 0, Severity.MAJOR, what, "log"))));
  }

  LoopTrial ciUnavailable(String why) {
    return apply(new LoopFact.CiEnded(ci(), new CiVerdict.Unavailable(head(), why), List.of()));
  }

  // ---- orders

  SteerId steer(GuidanceScope scope, String text) {
    SteerId id = nextSteer();
    apply(new LoopCommand.Guide(Samples.ANNA, id, scope, SteerText.of(text)));
    return id;
  }

  SteerId nextSteer() {
    return SteerId.of("00000000-0000-4000-8000-%012d".formatted(++steers));
  }

  LoopTrial go() {
    return apply(new LoopCommand.Go(Samples.ANNA, 0, 0));
  }

  // ---- what is there

  String head() {
    return loop.head().orElseThrow();
  }

  int work() {
    return loop.openWork().orElseThrow().number();
  }

  int review() {
    return open(CallKind.REVIEW).number();
  }

  int ci() {
    return open(CallKind.CI).number();
  }

  private LoopCall open(CallKind kind) {
    return loop.openCalls().stream().filter(it -> it.kind() == kind).findFirst().orElseThrow();
  }

  List<CallKind> openKinds() {
    return loop.openCalls().stream().map(LoopCall::kind).toList();
  }

  ParkReason parked() {
    return loop.parking().orElseThrow().reason();
  }

  Guidance guidance(SteerId id) {
    return loop.guidance().stream().filter(it -> it.id().equals(id)).findFirst().orElseThrow();
  }

  /** The calls that took the guidance. */
  List<CallKind> takers(SteerId id) {
    return guidance(id).bindings().stream()
        .map(it -> loop.call(it.call()).orElseThrow().kind())
        .toList();
  }

  String promptOfWork() {
    return loop.openWork().orElseThrow().prompt();
  }

  static ReportedFinding finding(String title) {
    return ReportedFinding.of(Optional.of("src/App.java"), 12, Severity.MAJOR, title, "because");
  }

  static ReportedFinding nit(String title) {
    return ReportedFinding.of(Optional.of("src/App.java"), 3, Severity.NIT, title, "");
  }

  static FindingId id(int number) {
    return new FindingId(number);
  }

  /** The facts that could come at this moment, for random walks. */
  Stream<Runnable> possible() {
    return loop.openCalls().stream()
        .flatMap(call ->
            switch (call.kind()) {
              case IMPLEMENT, FIX, REPAIR -> Stream.<Runnable>of(this::works);
              case REVIEW -> Stream.<Runnable>of(this::findsNothing, () -> finds(finding("a")));
              case CI -> Stream.<Runnable>of(this::green, () -> red("a test"));
            });
  }
}
