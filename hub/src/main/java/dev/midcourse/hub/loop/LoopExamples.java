package dev.midcourse.hub.loop;

import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.loop.GuidanceScope;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopBudget;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.LoopSpec;
import dev.midcourse.core.loop.finding.FindingDecision;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.hub.loop.LoopProgress.CallProgress;
import dev.midcourse.hub.loop.LoopProgress.Limits;
import dev.midcourse.hub.loop.LoopProgress.Wording;
import dev.midcourse.hub.loop.LoopRequests.FindingRequest;
import dev.midcourse.hub.loop.LoopRequests.GoRequest;
import dev.midcourse.hub.loop.LoopRequests.GuidanceRequest;
import dev.midcourse.hub.loop.LoopRequests.LoopRequest;
import dev.midcourse.hub.loop.LoopRequests.PersonReview;
import dev.midcourse.hub.loop.LoopRequests.PlanRequest;
import dev.midcourse.hub.loop.LoopRequests.RewordRequest;
import dev.midcourse.hub.loop.LoopRequests.WithdrawRequest;
import dev.midcourse.hub.loop.LoopViews.ForgeState;
import dev.midcourse.hub.loop.LoopViews.Forges;
import dev.midcourse.hub.loop.LoopViews.LoopDetails;
import dev.midcourse.hub.loop.LoopViews.LoopView;
import dev.midcourse.hub.loop.LoopViews.Loops;
import dev.midcourse.hub.loop.LoopViews.News;
import dev.midcourse.hub.loop.LoopViews.Plan;
import dev.midcourse.hub.loop.QueueViews.MergeTest;
import dev.midcourse.hub.loop.QueueViews.QueueView;
import dev.midcourse.hub.loop.QueueViews.Queues;
import dev.midcourse.hub.loop.QueueViews.WaitingLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Examples for the description of the API. */
final class LoopExamples {
  private static final Instant NOW = Instant.parse("2026-03-02T08:00:00Z");
  private static final String CI = "./mvnw verify";

  static final LoopRequest REQUEST =
      new LoopRequest(
          "Fix the login",
          "/home/ada/shop",
          Optional.of("main"),
          Optional.of("fix-login"),
          Optional.empty(),
          Optional.of(AgentName.of("claude")),
          Optional.of("codex"),
          Optional.of(CI),
          Optional.of(5),
          Optional.of(8),
          Optional.of(10.0),
          Optional.empty(),
          Optional.of(Duration.ofHours(8)),
          Optional.empty(),
          Optional.empty(),
          Optional.of(false),
          Optional.of("github"),
          Optional.empty(),
          Optional.empty(),
          Optional.of(true),
          Optional.of(true),
          Optional.empty(),
          Optional.of("build,lint"),
          Optional.empty());

  static final PlanRequest PLAN_REQUEST =
      new PlanRequest(
          "/home/ada/shop",
          Optional.empty(),
          Optional.empty(),
          Optional.of("github"),
          Optional.empty(),
          Optional.of("42"),
          Optional.empty());

  static final Plan PLAN =
      new Plan(
          "github",
          "ada/shop",
          "midcourse[bot]",
          Optional.of("42"),
          Optional.of("fix-login"),
          Optional.of("main"));

  static final Forges FORGES =
      new Forges(
          List.of(
              new ForgeState(
                  "github",
                  "github",
                  "https://api.github.com",
                  Optional.of("midcourse[bot]"),
                  Optional.empty())));

  static final LoopView LOOP =
      LoopView.of(
          Loop.created(
              LoopId.of("fix-the-login-k7fp"),
              new LoopSpec(
                  HostName.of("host-1"),
                  "/home/ada/shop",
                  BranchName.of("main"),
                  BranchName.of("fix-login"),
                  WorkerName.of("any"),
                  AgentName.of("claude"),
                  new LoopReviewer.OfAgent(AgentName.of("codex")),
                  Optional.of(CI),
                  LoopSpec.DEFAULT_REVIEW_TIMEOUT,
                  LoopSpec.DEFAULT_CI_TIMEOUT),
              LoopBudget.DEFAULT,
              false,
              "Fix the login",
              Author.person("cli"),
              NOW),
          Optional.empty());

  static final Loops LOOPS = new Loops(List.of(LOOP));

  static final LoopDetails DETAILS =
      new LoopDetails(
          LOOP,
          List.of(new News(NOW, LoopPhase.PREPARE, "prepared branch fix-login")),
          17,
          Optional.empty(),
          new LoopProgress(
              HostName.of("host-1"),
              new Limits(Optional.of(10.0), Optional.empty(), Optional.of(28_800L)),
              Optional.empty(),
              Optional.empty(),
              List.of(new Wording(1, "Fix the login", Author.person("cli"), NOW)),
              List.of(
                  new CallProgress(
                      1,
                      RunId.of("fix-the-login-k7fp-1-implement"),
                      Optional.of("0123456789012345678901234567890123456789"),
                      List.of(),
                      false,
                      true,
                      Optional.of(RunState.DONE),
                      new Usage(1_200, 300, 40_000)))));

  static final Queues QUEUES =
      new Queues(
          List.of(
              new QueueView(
                  "/home/ada/shop",
                  "main",
                  2,
                  List.of(
                      new WaitingLoop(
                          1,
                          LoopId.of("fix-the-login-k7fp"),
                          "fix-login",
                          "0123456789abcdef0123456789abcdef01234567",
                          NOW,
                          true)),
                  Optional.of(
                      new MergeTest(
                          1,
                          Optional.of("89abcdef0123456789abcdef0123456789abcdef"),
                          RunId.of("fix-the-login-k7fp-merge-1"))))));

  static final GuidanceRequest STEER =
      new GuidanceRequest(
          "Keep the public API as it is",
          Optional.of(GuidanceScope.FIX),
          Optional.of(IdempotencyKey.of("s-1")));

  static final WithdrawRequest WITHDRAW = new WithdrawRequest(Optional.of("no longer needed"));

  static final RewordRequest REWORD =
      new RewordRequest("Fix the login and the logout", Optional.of(LoopPhase.IMPLEMENT));

  static final GoRequest GO = new GoRequest(Optional.of(3), Optional.empty());

  static final FindingRequest FINDING =
      new FindingRequest(FindingDecision.DROP, Optional.of("the input is checked by the caller"));

  static final PersonReview REVIEW =
      new PersonReview(
          "0123456789", Optional.of("src/Login.java:12: major: The password is logged"));

  private LoopExamples() {}
}
