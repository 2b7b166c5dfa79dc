package dev.midcourse.autopilot;

import dev.midcourse.agents.git.RemoteBranch;
import dev.midcourse.agents.git.Repository;
import dev.midcourse.agents.git.SquashedCommit;
import dev.midcourse.agents.git.WorkBranch;
import dev.midcourse.autopilot.forge.ForgeCredential;
import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.ForgePush;
import dev.midcourse.autopilot.forge.ForgeSettings;
import dev.midcourse.autopilot.forge.RemoteAddress;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.finding.Finding;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.finding.Severity;
import dev.midcourse.core.loop.forge.ForgeError;
import dev.midcourse.core.loop.forge.ForgeOrder;
import dev.midcourse.core.loop.step.ChangeTexts;
import dev.midcourse.core.loop.step.LoopFact;
import dev.midcourse.core.loop.step.LoopFact.NotPushed;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The branches of loops at their forges: pushed by the hub, merged with what others have pushed.
 */
final class ForgeBranches {
  private final LoopParts parts;

  ForgeBranches(LoopParts parts) {
    this.parts = parts;
  }

  private static WorkBranch local(LoopParts parts, Loop loop) {
    return new LoopFolders(parts.folder(), loop).branch();
  }

  private RemoteBranch remote(Loop loop) throws ForgeException, InterruptedException {
    ForgeOrder order = loop.spec().forge().orElseThrow();
    return remote(Path.of(loop.spec().repository()), order.name(), order.project(), order.remote());
  }

  /** The repository at the forge; git gets the secret only for the host of the forge. */
  RemoteBranch remote(Path clone, String forge, String project, String address)
      throws ForgeException, InterruptedException {
    ForgeSettings settings = parts.forges().settings(forge);
    RemoteAddress remote = RemoteAddress.of(address);
    Optional<RemoteBranch.Login> login = Optional.empty();
    if (settings.mayHaveSecret(remote)) {
      ForgeCredential.Secret secret = parts.forges().credential(forge, project).get();
      String user = secret.user().isBlank() ? "x-access-token" : secret.user();
      login = Optional.of(new RemoteBranch.Login(user, secret.token()));
    }
    return new RemoteBranch(Repository.at(clone), remote.text(), login);
  }

  /** Pushes a commit to the branch at the forge. Overwrites nothing there. */
  LoopFact push(Loop loop, String head) throws ForgeException, InterruptedException {
    ForgeOrder order = loop.spec().forge().orElseThrow();
    ForgePush how =
        parts.forges().open(order.name(), order.project()).push(ChangeTexts.open(loop), head);
    RemoteBranch remote = remote(loop);
    String commit =
        how.squash().isEmpty() ? head : squashed(loop, remote, how.squash().get(), head);
    return switch (remote.push(commit, how.reference())) {
      case RemoteBranch.PushResult.Done _ -> new LoopFact.Pushed(head);
      case RemoteBranch.PushResult.Foreign(String why) ->
          new NotPushed(NotPushed.Reason.FOREIGN, why);
      case RemoteBranch.PushResult.Unauthorized(String why) ->
          new NotPushed(NotPushed.Reason.AUTH, why);
      case RemoteBranch.PushResult.Refused(String why) ->
          new NotPushed(NotPushed.Reason.REFUSED, why);
      case RemoteBranch.PushResult.Unreachable(String why) ->
          throw new ForgeException(new ForgeError.Outage(why));
    };
  }

  /** The head as the one commit that the forge wants, above its own base. */
  private static String squashed(
      Loop loop, RemoteBranch remote, ForgePush.Squash squash, String head) {
    String base = loop.forge().orElseThrow().base();
    String tip = remote.fetch(base).orElseThrow(() -> refused("the forge has no branch " + base));
    return new SquashedCommit(squash.message(), squash.name(), squash.email())
        .create(Repository.at(Path.of(loop.spec().repository())), head, tip);
  }

  /** Merges the base, as the forge has it, into the branch. */
  LoopFact sync(Loop loop) throws ForgeException, InterruptedException {
    String base = loop.forge().orElseThrow().base();
    Optional<String> tip = remote(loop).fetch(base);
    if (tip.isEmpty()) {
      return new LoopFact.NotLanded("the forge has no branch " + base, List.of());
    }
    WorkBranch branch = local(parts, loop);
    String head = loop.head().orElseThrow();
    return switch (branch.merge(tip.get(), head)) {
      case WorkBranch.MergeResult.Unchanged _ -> new LoopFact.BaseUnchanged();
      case WorkBranch.MergeResult.Merged _ ->
          new LoopFact.BaseMerged(branch.read(loop.base().orElseThrow(), head));
      case WorkBranch.MergeResult.Conflict(List<String> files) -> conflict(base, tip.get(), files);
      case WorkBranch.MergeResult.Refused(String why) -> new LoopFact.NotLanded(why, List.of());
    };
  }

  /** Takes over what somebody else has pushed to the branch. */
  LoopFact takeRemote(Loop loop) throws ForgeException, InterruptedException {
    String name = loop.spec().branch().value();
    Optional<String> tip = remote(loop).fetch(name);
    if (tip.isEmpty()) {
      return new LoopFact.NotLanded("the forge has no branch " + name + " any more", List.of());
    }
    WorkBranch branch = local(parts, loop);
    String head = branch.tip();
    return switch (branch.merge(tip.get(), head)) {
      case WorkBranch.MergeResult.Unchanged _, WorkBranch.MergeResult.Merged _ ->
          new LoopFact.RemoteTaken(branch.read(loop.base().orElseThrow(), head), tip.get());
      case WorkBranch.MergeResult.Conflict(List<String> files) -> conflict(name, tip.get(), files);
      case WorkBranch.MergeResult.Refused(String why) -> new LoopFact.NotLanded(why, List.of());
    };
  }

  private static LoopFact conflict(String name, String commit, List<String> files) {
    ReportedFinding finding =
        ReportedFinding.of(
            Optional.empty(),
            0,
            Severity.MAJOR,
            "Branch " + name + " of the forge conflicts with yours",
            "Run: git merge "
                + commit
                + "\nResolve the conflicts and commit the merge. They are in: "
                + String.join(", ", files)
                + "\n(source: "
                + Finding.MERGE
                + ")");
    return new LoopFact.NotLanded("it conflicts with " + name, List.of(finding));
  }

  /** Fetches the branch of a change that is to be adopted, as a branch of the clone. */
  void adoptBranch(Loop loop) throws ForgeException, InterruptedException {
    String name = loop.spec().branch().value();
    Optional<String> tip = remote(loop).fetch(name);
    if (tip.isEmpty()) {
      throw refused("the forge has no branch " + name);
    }
    Repository.at(Path.of(loop.spec().repository())).adopt(loop.spec().branch(), tip.get());
  }

  static RefusedException refused(String message) {
    return Problem.of(Code.UNAVAILABLE, "forge", "a change that can be adopted", message).refused();
  }
}
