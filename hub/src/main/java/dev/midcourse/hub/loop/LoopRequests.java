package dev.midcourse.hub.loop;

import dev.midcourse.autopilot.ForgePlanner.ForgeRequest;
import dev.midcourse.core.FieldDoc;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.loop.GuidanceScope;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.finding.FindingDecision;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The requests about loops. */
public final class LoopRequests {
  private LoopRequests() {}

  /** A loop that is to be started. */
  public record LoopRequest(
      @FieldDoc("the task") String prompt,
      @FieldDoc("the folder of a git clone, absolute") String repo,
      @FieldDoc("the branch at which the work begins; default: the one that is checked out")
          Optional<String> base,
      @FieldDoc("the branch of the work; default: autopilot/ and the id of the loop")
          Optional<String> branch,
      @FieldDoc("the worker; without it, any") Optional<WorkerName> worker,
      @FieldDoc("the agent that works; default: that of the worker") Optional<AgentName> agent,
      @FieldDoc(
              "the agent that reviews, me, none, or @login at the forge; default: the agent that works")
          Optional<String> reviewer,
      @FieldDoc("the command of CI, for sh, in a checkout of the commit") Optional<String> ci,
      @FieldDoc(value = "fixes over all rounds before a person is asked", defaultValue = "5")
          Optional<Integer> fixes,
      @FieldDoc(value = "reviews over all rounds before a person is asked", defaultValue = "8")
          Optional<Integer> reviews,
      @FieldDoc("US dollars before a person is asked") Optional<Double> budget,
      @FieldDoc("tokens, in and out, before a person is asked") Optional<Long> tokens,
      @FieldDoc("time before a person is asked: 8h") Optional<Duration> time,
      @FieldDoc(value = "how long a review may take", defaultValue = "1h")
          Optional<Duration> reviewTimeout,
      @FieldDoc(value = "how long CI may take", defaultValue = "90m") Optional<Duration> ciTimeout,
      @FieldDoc(value = "merge the clean branch into its base", defaultValue = "false")
          Optional<Boolean> land,
      @FieldDoc("open a change at this forge of the settings; without it the loop uses none")
          Optional<String> forge,
      @FieldDoc("owner/name at the forge; default: that of the remote origin of the clone")
          Optional<String> project,
      @FieldDoc("the number of a change that is there already; it is taken over")
          Optional<String> change,
      @FieldDoc(value = "open the change as a draft", defaultValue = "false")
          Optional<Boolean> draft,
      @FieldDoc(
              value = "tell in one comment of the change how the loop goes",
              defaultValue = "false")
          Optional<Boolean> comment,
      @FieldDoc(value = "look only at the checks, not at reviews", defaultValue = "false")
          Optional<Boolean> onlyCi,
      @FieldDoc("the checks that count, by name, separated by commas; default: all")
          Optional<String> checks,
      @FieldDoc("the loop on whose branch this one is based") Optional<LoopId> on) {

    /** What the loop does at a forge; empty if it uses none. */
    Optional<ForgeRequest> atForge() {
      boolean uses = forge.isPresent() || change.isPresent() || on.isPresent();
      return uses
          ? Optional.of(
              new ForgeRequest(
                  forge,
                  project,
                  change,
                  draft.orElse(false),
                  comment.orElse(false),
                  onlyCi.orElse(false),
                  checks.stream()
                      .flatMap(names -> Stream.of(names.split(",")))
                      .map(String::strip)
                      .filter(name -> !name.isEmpty())
                      .toList(),
                  on))
          : Optional.empty();
    }
  }

  /** A loop that is only planned. */
  public record PlanRequest(
      @FieldDoc("the folder of a git clone, absolute") String repo,
      @FieldDoc("the branch of the work") Optional<String> branch,
      @FieldDoc("the branch at which the work begins") Optional<String> base,
      @FieldDoc("the forge; default: the only one of the settings") Optional<String> forge,
      @FieldDoc("owner/name at the forge; default: that of the remote origin of the clone")
          Optional<String> project,
      @FieldDoc("the number of a change that is to be taken over") Optional<String> change,
      @FieldDoc("the loop on whose branch this one is based") Optional<LoopId> on) {

    ForgeRequest atForge() {
      return new ForgeRequest(forge, project, change, false, false, false, List.of(), on);
    }
  }

  /** A steer of a loop. */
  public record GuidanceRequest(
      @FieldDoc("the text") String text,
      @FieldDoc(value = "now, next, fix, review or standing", defaultValue = "now")
          Optional<GuidanceScope> scope,
      @FieldDoc("idempotency key") Optional<IdempotencyKey> key) {}

  /** Guidance that is taken back. */
  public record WithdrawRequest(
      @FieldDoc(value = "why", defaultValue = "withdrawn by its author") Optional<String> reason) {}

  /** Another wording of the task. */
  public record RewordRequest(
      @FieldDoc("the new wording") String prompt,
      @FieldDoc("implement, fix or check; default: a wait goes on, other work begins anew")
          Optional<LoopPhase> from) {}

  /** What a parked loop may use in addition. */
  public record GoRequest(
      @FieldDoc(value = "more fixes", defaultValue = "0") Optional<Integer> fixes,
      @FieldDoc(value = "more reviews", defaultValue = "0") Optional<Integer> reviews) {}

  /** What a person decides about a finding. */
  public record FindingRequest(
      @FieldDoc("drop, uphold or nit") FindingDecision decision,
      @FieldDoc("why; needed to drop it") Optional<String> why) {}

  /** The review of a person. */
  public record PersonReview(
      @FieldDoc("the commit that was looked at, or its first 7 characters or more") String head,
      @FieldDoc(
              "what is wrong, one finding a line: src/App.java:12: minor: the text; without it the"
                  + " commit is clean")
          Optional<String> findings) {}

  record LoopListing(
      @FieldDoc("with loops that have ended; default: false") Optional<Boolean> all) {}

  record ForgeListing(
      @FieldDoc("the folder of a git clone; default: the forges are listed and not asked")
          Optional<String> repo) {}

  record DiffOf(
      @FieldDoc("the number of a call; without it, all changes of the branch")
          Optional<Integer> call) {}

  record LoopWait(
      @FieldDoc("only news after this cursor") Optional<Long> after,
      @FieldDoc("wait so long for news, at most 30s") Optional<Duration> timeout) {}
}
