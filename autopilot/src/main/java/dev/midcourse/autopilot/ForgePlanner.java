package dev.midcourse.autopilot;

import dev.midcourse.agents.git.Repository;
import dev.midcourse.autopilot.forge.Forge;
import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.ForgeSettings;
import dev.midcourse.autopilot.forge.RemoteAddress;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeError;
import dev.midcourse.core.loop.forge.ForgeKind;
import dev.midcourse.core.loop.forge.ForgeOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Finds out what a loop will do at a forge, before the loop is created. */
public final class ForgePlanner {
  private final LoopParts parts;

  ForgePlanner(LoopParts parts) {
    this.parts = parts;
  }

  /**
   * What is asked for.
   *
   * @param forge the name of the forge in the settings; empty for the only one
   * @param project the project; empty for the one that the remote {@code origin} names
   * @param change the number of a change that is there already
   * @param on the loop on whose branch this one is based
   */
  public record ForgeRequest(
      Optional<String> forge,
      Optional<String> project,
      Optional<String> change,
      boolean draft,
      boolean publicComment,
      boolean onlyCi,
      List<String> checks,
      Optional<LoopId> on) {
    public ForgeRequest {
      checks = List.copyOf(checks);
    }

    public ForgeRequest withOn(Optional<LoopId> loop) {
      return new ForgeRequest(forge, project, change, draft, publicComment, onlyCi, checks, loop);
    }
  }

  /**
   * What the loop will do.
   *
   * @param login the login of Midcourse at the forge
   * @param branch the branch that the change or the caller names
   * @param base the base that the change, the loop below or the caller names
   */
  public record ForgePlan(
      ForgeOrder order, String login, Optional<BranchName> branch, Optional<BranchName> base) {}

  /** Proves the credentials and finds the change, if there is one. Writes nothing. */
  public ForgePlan plan(
      Path clone, ForgeRequest request, Optional<BranchName> branch, Optional<BranchName> base)
      throws InterruptedException {
    ForgeSettings settings = settings(request);
    if (settings.kind() == ForgeKind.GERRIT && request.change().isPresent()) {
      throw Problem.of(
              Code.UNSUPPORTED,
              "change",
              "a change whose branch is at the forge",
              "a change of Gerrit cannot be taken over, because it has no branch")
          .refused();
    }
    RemoteAddress remote =
        RemoteAddress.of(
            Repository.at(clone)
                .origin()
                .orElseThrow(() ->
                    Problem.invalid(
                            "repo",
                            "a clone with a remote origin",
                            clone + " has no remote origin; add it: git remote add origin URL")
                        .refused()));
    ForgeOrder order =
        new ForgeOrder(
            settings.name(),
            request.project().orElseGet(() -> project(settings, remote)),
            remote.text(),
            request.draft(),
            request.publicComment(),
            request.change(),
            request.onlyCi(),
            request.checks(),
            request.on(),
            settings.ciGrace(),
            settings.quiet());
    try {
      Forge forge = parts.forges().open(order.name(), order.project());
      String login = forge.signIn();
      if (request.change().isPresent()) {
        ChangeSnapshot snapshot = forge.snapshot(forge.find(request.change().get()));
        return adopted(clone, order, login, snapshot, branch);
      }
      Optional<BranchName> below = request.on().map(this::loopBelow).map(it -> it.spec().branch());
      return new ForgePlan(order, login, branch, base.or(() -> below));
    } catch (ForgeException e) {
      throw refused(settings.name(), e.error());
    } catch (IllegalArgumentException e) {
      throw new RefusedException(
          Problem.invalid("project", "owner/name", String.valueOf(e.getMessage())), e);
    }
  }

  /** The project that an address names. Gerrit has {@code /a/} before it where git signs in. */
  private static String project(ForgeSettings settings, RemoteAddress remote) {
    String name = remote.project();
    boolean signsIn = settings.kind() == ForgeKind.GERRIT && (remote.isHttp() || remote.isHttps());
    return signsIn && name.startsWith("a/") ? name.substring(2) : name;
  }

  private ForgeSettings settings(ForgeRequest request) {
    List<ForgeSettings> all = List.copyOf(parts.forges().all());
    if (request.forge().isEmpty() && all.size() == 1) {
      return all.getFirst();
    }
    return parts
        .forges()
        .settings(
            request
                .forge()
                .orElseThrow(() ->
                    Problem.invalid(
                            "forge",
                            "the name of a forge",
                            all.isEmpty()
                                ? "there is no forge in the settings; add [forges.NAME]"
                                : "there are several forges in the settings; name one")
                        .refused()));
  }

  private ForgePlan adopted(
      Path clone,
      ForgeOrder order,
      String login,
      ChangeSnapshot snapshot,
      Optional<BranchName> branch)
      throws ForgeException, InterruptedException {
    if (snapshot.state() != ChangeSnapshot.State.OPEN) {
      throw Problem.invalid(
              "change", "an open change", "change " + snapshot.ref().number() + " is not open")
          .refused();
    }
    List<String> named =
        new ForgeBranches(parts)
            .remote(clone, order.name(), order.project(), order.remote())
            .branchesAt(snapshot.head());
    Optional<BranchName> its =
        branch.or(() ->
            named.size() == 1 ? Optional.of(BranchName.of(named.getFirst())) : Optional.empty());
    boolean wrong = its.filter(it -> !named.contains(it.value())).isPresent();
    if (its.isEmpty() || wrong) {
      throw Problem.invalid(
              "branch",
              "the branch of the change, in the repository of the remote origin",
              named.isEmpty()
                  ? "no branch of "
                      + order.project()
                      + " ends with the head of the change; it may"
                      + " be in a fork, to which Midcourse does not push"
                  : "several branches end with the head of the change: "
                      + String.join(", ", named)
                      + "; name its branch")
          .refused();
    }
    return new ForgePlan(order, login, its, Optional.of(BranchName.of(snapshot.base())));
  }

  private Loop loopBelow(LoopId id) {
    return parts
        .ledger()
        .<Optional<Loop>>read(reading -> reading.loops().loop(id))
        .filter(it -> it.forge().isPresent())
        .orElseThrow(() ->
            Problem.invalid(
                    "on", "a loop with a forge", "loop " + id + " has no change to build on")
                .refused());
  }

  private static RefusedException refused(String name, ForgeError error) {
    Code code =
        switch (error) {
          case ForgeError.Unauthorized _, ForgeError.Forbidden _ -> Code.FORBIDDEN;
          case ForgeError.NotFound _ -> Code.NOT_FOUND;
          case ForgeError.Limited _ -> Code.LIMIT;
          case ForgeError.Conflict _, ForgeError.Invalid _ -> Code.INVALID;
          case ForgeError.Outage _ -> Code.UNAVAILABLE;
        };
    return Problem.of(
            code, "forge", "a forge that answers", "forge " + name + ": " + error.message())
        .refused();
  }
}
