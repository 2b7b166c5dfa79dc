package dev.midcourse.hub.loop;

import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.loop.CallKind;
import dev.midcourse.core.loop.CiVerdict;
import dev.midcourse.core.loop.Guidance;
import dev.midcourse.core.loop.GuidanceScope;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopCall;
import dev.midcourse.core.loop.LoopCheck;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.ParkReason;
import dev.midcourse.core.loop.ReviewVerdict;
import dev.midcourse.core.loop.finding.Finding;
import dev.midcourse.core.loop.finding.FindingState;
import dev.midcourse.core.loop.finding.Severity;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.steer.Author;
import dev.midcourse.hub.loop.QueueViews.QueuePlace;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The results about loops. */
public final class LoopViews {
  private LoopViews() {}

  public record Loops(List<LoopView> loops) {}

  /**
   * A loop with its news.
   *
   * @param cursor the cursor after the newest news
   * @param queue its place in the merge queue, while it waits to land
   */
  public record LoopDetails(
      LoopView loop,
      List<News> news,
      long cursor,
      Optional<QueuePlace> queue,
      LoopProgress progress) {}

  /** One sentence about what a loop did. */
  public record News(Instant at, LoopPhase phase, String text) {}

  /**
   * A loop.
   *
   * @param promptVersion counts the wordings of the task from 1
   * @param open how many findings hold the loop
   * @param steersGo where a steer goes that is given now
   * @param destinations where a steer of each scope would go if it were given now
   */
  public record LoopView(
      LoopId loopId,
      LoopPhase phase,
      Optional<Parked> parked,
      String prompt,
      int promptVersion,
      String repo,
      String base,
      String branch,
      WorkerName worker,
      AgentName agent,
      String reviewer,
      Optional<String> ci,
      boolean land,
      Optional<String> head,
      Optional<Check> check,
      int fixes,
      int maxFixes,
      int reviews,
      int maxReviews,
      int open,
      List<FindingView> findings,
      List<Call> calls,
      List<GuidanceView> steers,
      String steersGo,
      Map<String, String> destinations,
      Usage spent,
      boolean reviewed,
      Optional<Change> change,
      String result,
      Author createdBy,
      Instant createdAt,
      Optional<Instant> endedAt) {

    static LoopView of(Loop loop, Optional<Instant> nextLook) {
      return new LoopView(
          loop.id(),
          loop.phase(),
          loop.parking().map(it -> new Parked(it.reason(), it.question(), it.since())),
          loop.prompt().text(),
          loop.prompt().number(),
          loop.spec().repository(),
          loop.spec().base().value(),
          loop.spec().branch().value(),
          loop.spec().worker(),
          loop.spec().agent(),
          loop.spec().reviewer().name(),
          loop.spec().ci(),
          loop.land(),
          loop.head(),
          loop.check().map(Check::of),
          loop.count(CallKind.FIX),
          loop.budget().fixes(),
          loop.count(CallKind.REVIEW),
          loop.budget().reviews(),
          loop.findings().holding().size(),
          loop.findings().all().stream().map(FindingView::of).toList(),
          loop.calls().stream().map(Call::of).toList(),
          loop.guidance().stream().map(it -> GuidanceView.of(loop, it)).toList(),
          loop.destination(GuidanceScope.NOW),
          Arrays.stream(GuidanceScope.values())
              .collect(Collectors.toMap(GuidanceScope::wire, loop::destination)),
          loop.spent(),
          loop.isReviewed(),
          Change.of(loop, nextLook),
          loop.result(),
          loop.createdBy(),
          loop.createdAt(),
          loop.endedAt());
    }
  }

  /**
   * The change of a loop at its forge.
   *
   * @param number empty before it is open
   * @param url its page; empty if it is not known
   * @param base the branch into which it is to be merged
   * @param pushed the newest commit there that is known
   * @param nextLook when the hub looks at it again
   */
  public record Change(
      String forge,
      String project,
      Optional<String> number,
      Optional<String> url,
      String base,
      boolean draft,
      Optional<String> pushed,
      Optional<String> on,
      Optional<Instant> nextLook) {
    static Optional<Change> of(Loop loop, Optional<Instant> nextLook) {
      return loop.spec()
          .forge()
          .flatMap(order ->
              loop.forge()
                  .map(its ->
                      new Change(
                          order.name(),
                          order.project(),
                          its.change().map(ChangeRef::number),
                          its.change().map(ChangeRef::url).filter(url -> !url.isBlank()),
                          its.base(),
                          its.draft(),
                          its.pushed(),
                          order.on().map(LoopId::value),
                          nextLook)));
    }
  }

  /**
   * What a loop would do at a forge.
   *
   * @param login the login of Midcourse there
   */
  public record Plan(
      String forge,
      String project,
      String login,
      Optional<String> change,
      Optional<String> branch,
      Optional<String> base) {}

  /**
   * A forge of the settings, and whether it can be used for a project.
   *
   * @param problem why it cannot be used; empty if it can
   */
  public record ForgeState(
      String name, String kind, String url, Optional<String> login, Optional<String> problem) {}

  public record Forges(List<ForgeState> forges) {}

  /** Why a loop waits for a person. */
  public record Parked(ParkReason reason, String question, Instant since) {}

  /**
   * The newest round of checks.
   *
   * @param review pending, clean, findings, unavailable or not reviewed, with the reason
   * @param ci pending, green, red, unavailable or not tested, with the reason
   */
  public record Check(
      int round, String head, String scope, String review, String ci, Instant since) {
    static Check of(LoopCheck check) {
      return new Check(
          check.round(),
          check.head(),
          dev.midcourse.core.WireNames.name(check.scope()),
          check.review().map(Check::text).orElse("pending"),
          check.ci().map(Check::text).orElse("pending"),
          check.since());
    }

    private static String text(ReviewVerdict verdict) {
      return switch (verdict) {
        case ReviewVerdict.Clean it -> "clean, by " + it.reviewer();
        case ReviewVerdict.WithFindings it -> it.count() + " findings, by " + it.reviewer();
        case ReviewVerdict.Unavailable it -> "unavailable: " + it.why();
        case ReviewVerdict.NotReviewed it -> "not reviewed: " + it.why();
      };
    }

    private static String text(CiVerdict verdict) {
      return switch (verdict) {
        case CiVerdict.Green _ -> "green";
        case CiVerdict.Red it -> "red: " + it.summary();
        case CiVerdict.Unavailable it -> "unavailable: " + it.why();
        case CiVerdict.NotTested it -> "not tested: " + it.why();
      };
    }
  }

  /** One finding. */
  public record FindingView(
      String id,
      String source,
      FindingState state,
      Severity severity,
      String place,
      String title,
      String body,
      String reason,
      int firstRound,
      int lastRound,
      int reopened,
      int upheld) {
    static FindingView of(Finding it) {
      return new FindingView(
          it.id().toString(),
          it.source(),
          it.state(),
          it.severity(),
          it.place(),
          it.title(),
          it.body(),
          it.reason(),
          it.firstRound(),
          it.lastRound(),
          it.reopened(),
          it.upheld());
    }
  }

  /** One run of the loop. */
  public record Call(
      int number,
      CallKind kind,
      int round,
      RunId runId,
      int promptVersion,
      Instant createdAt,
      Optional<Instant> endedAt,
      String result) {
    static Call of(LoopCall it) {
      return new Call(
          it.number(),
          it.kind(),
          it.round(),
          it.run(),
          it.promptVersion(),
          it.createdAt(),
          it.endedAt(),
          it.result());
    }
  }

  /**
   * A steer of the loop.
   *
   * @param state where it is: held for which call, given to which run, or why it ended
   * @param given the steers of runs that carry it; their receipts tell what became of it
   */
  public record GuidanceView(
      SteerId steerId,
      GuidanceScope scope,
      String text,
      Author author,
      Instant at,
      String state,
      List<Given> given) {
    static GuidanceView of(Loop loop, Guidance it) {
      List<Given> given =
          it.bindings().stream()
              .flatMap(binding ->
                  loop.call(binding.call()).stream()
                      .map(call -> new Given(call.run(), call.kind(), binding.steer())))
              .toList();
      return new GuidanceView(
          it.id(),
          it.scope(),
          it.text().value(),
          it.author(),
          it.at(),
          state(loop, it, given),
          given);
    }

    private static String state(Loop loop, Guidance it, List<Given> given) {
      if (it.ended().isPresent()) {
        return it.ended().get();
      }
      return it.isHeld()
          ? loop.destination(it.scope() == GuidanceScope.NOW ? GuidanceScope.NEXT : it.scope())
          : "given to " + given.getLast().kind().wire() + " run " + given.getLast().runId();
    }
  }

  /** The steer of a run that carries guidance. */
  public record Given(RunId runId, CallKind kind, SteerId steerId) {}
}
