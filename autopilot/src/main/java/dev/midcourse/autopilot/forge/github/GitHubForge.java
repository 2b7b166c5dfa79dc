package dev.midcourse.autopilot.forge.github;

import dev.midcourse.autopilot.forge.Forge;
import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.http.ForgeAuthorization;
import dev.midcourse.autopilot.forge.http.ForgeClient;
import dev.midcourse.autopilot.forge.http.ForgeClientSettings;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeActResult;
import dev.midcourse.core.loop.forge.ForgeError;
import dev.midcourse.core.loop.forge.ForgeFeature;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One repository at GitHub. All repositories of one host that use the same credential share one
 * client, which has the limits, the cache and the order of writes.
 *
 * <p>The reviewer {@code copilot} is Copilot's code review; a team is written {@code ORG/TEAM}.
 */
public final class GitHubForge implements Forge {
  /** The base of the interface of github.com. */
  public static final URI PUBLIC_API = URI.create("https://api.github.com");

  private static final Duration READ_BACK_INTERVAL = Duration.ofSeconds(1);

  private final GitHubApi api;
  private final GitHubSnapshotReader snapshots;
  private final GitHubCheckReader checks;
  private final GitHubChangeWriter changes;
  private final GitHubReviewWriter reviews;
  private final GitHubLandingWriter landing;
  private volatile Optional<Set<ForgeFeature>> features = Optional.empty();

  /**
   * @param api the base of REST: {@link #PUBLIC_API}, or {@code https://HOST/api/v3}
   * @param project {@code OWNER/NAME}
   * @throws IllegalArgumentException if the project is not written so
   */
  public GitHubForge(ForgeClient client, URI api, String project) {
    this(client, api, project, READ_BACK_INTERVAL);
  }

  GitHubForge(ForgeClient client, URI api, String project, Duration readBackInterval) {
    this.api = new GitHubApi(client, api, project);
    this.snapshots = new GitHubSnapshotReader(this.api);
    this.checks = new GitHubCheckReader(this.api);
    this.changes = new GitHubChangeWriter(this.api);
    this.reviews = new GitHubReviewWriter(this.api);
    this.landing = new GitHubLandingWriter(this.api, readBackInterval);
  }

  /** How GitHub is asked. */
  public static ForgeClientSettings clientSettings(URI api) {
    return ForgeClientSettings.of(api, ForgeAuthorization.BEARER)
        .withHeaders(
            Map.of("Accept", "application/vnd.github+json", "X-GitHub-Api-Version", "2022-11-28"));
  }

  @Override
  public Set<ForgeFeature> features() throws ForgeException, InterruptedException {
    if (features.isEmpty()) {
      JsonValue.Obj repository =
          api.graphQl(GitHubQuery.REPOSITORY, api.repository()).object("repository");
      Set<ForgeFeature> all = EnumSet.allOf(ForgeFeature.class);
      if (!repository.is("autoMergeAllowed")) {
        all.remove(ForgeFeature.AUTO_MERGE);
      }
      if (repository.object("mergeQueue").fields().isEmpty()) {
        all.remove(ForgeFeature.QUEUE);
      }
      features = Optional.of(Set.copyOf(all));
    }
    return features.get();
  }

  /**
   * Proves that the token is accepted, may push, and may read check runs. The other rights of an
   * App are checked when it gets its token.
   */
  @Override
  public String signIn() throws ForgeException, InterruptedException {
    String login =
        api.graphQl(GitHubQuery.VIEWER, JsonValue.object())
            .object("viewer")
            .string("login")
            .orElse("");
    JsonValue.Obj repository = api.get("");
    if (!login.endsWith("[bot]") && !repository.object("permissions").is("push")) {
      throw new ForgeException(
          new ForgeError.Forbidden("the token of " + login + " may not push to " + api.project()));
    }
    checks.requireReadable(repository.string("default_branch").orElse("main"));
    return login;
  }

  @Override
  public Optional<ChangeRef> find(String branch, String base)
      throws ForgeException, InterruptedException {
    return changes.find(branch, base).map(GitHubSnapshotReader::ref);
  }

  @Override
  public ChangeRef find(String number) throws ForgeException, InterruptedException {
    return GitHubSnapshotReader.ref(api.get("/pulls/" + number(number)));
  }

  @Override
  public ChangeSnapshot snapshot(ChangeRef change) throws ForgeException, InterruptedException {
    return snapshots.read(change);
  }

  @Override
  public String log(String check, int maxCharacters) throws ForgeException, InterruptedException {
    return checks.log(check, maxCharacters);
  }

  @Override
  public ForgeActResult perform(ForgeAct act) throws InterruptedException {
    try {
      return switch (act) {
        case ForgeAct.Open open -> changes.open(open);
        case ForgeAct.Edit edit -> changes.edit(edit);
        case ForgeAct.MarkReady ready -> changes.markReady(ready);
        case ForgeAct.RequestReview request -> reviews.requestReview(request);
        case ForgeAct.Reply reply -> reviews.reply(reply);
        case ForgeAct.Resolve resolve -> reviews.resolve(resolve);
        case ForgeAct.Comment comment -> reviews.comment(comment);
        case ForgeAct.RerunFailed rerun -> landing.rerunFailed(rerun);
        case ForgeAct.UpdateBranch update -> landing.updateBranch(update);
        case ForgeAct.Merge merge -> landing.merge(merge);
        case ForgeAct.Enqueue enqueue -> landing.enqueue(enqueue);
        case ForgeAct.Close close -> changes.close(close);
      };
    } catch (ForgeException e) {
      return e.mayHaveArrived()
          ? new ForgeActResult.Unknown(e.error().message())
          : new ForgeActResult.Refused(e.error());
    }
  }

  /** The number of a pull request. Another text is the number of none. */
  static long number(String text) throws ForgeException {
    if (!text.matches("[1-9]\\d{0,8}")) {
      throw new ForgeException(
          new ForgeError.NotFound("the number of a pull request is digits only"));
    }
    return Long.parseLong(text);
  }

  /** The client belongs to all repositories of its host, so it stays open. */
  @Override
  public void close() {}
}
