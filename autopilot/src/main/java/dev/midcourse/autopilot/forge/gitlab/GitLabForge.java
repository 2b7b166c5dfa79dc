package dev.midcourse.autopilot.forge.gitlab;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.autopilot.forge.Forge;
import dev.midcourse.autopilot.forge.ForgeAddress;
import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.ForgeWrites;
import dev.midcourse.autopilot.forge.http.ForgeAuthorization;
import dev.midcourse.autopilot.forge.http.ForgeClient;
import dev.midcourse.autopilot.forge.http.ForgeClientSettings;
import dev.midcourse.autopilot.forge.http.ForgeRequest;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeActResult;
import dev.midcourse.core.loop.forge.ForgeError;
import dev.midcourse.core.loop.forge.ForgeFeature;
import java.net.URI;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** A project at GitLab. */
public final class GitLabForge implements Forge {
  private static final long DEVELOPER = 30;
  private static final int MAX_BYTES_PER_CHARACTER = 4;
  private static final long MAX_LOG_BYTES = 50L * 1024 * 1024;
  private static final Set<ForgeFeature> FEATURES =
      EnumSet.of(
          ForgeFeature.NATIVE_THREADS,
          ForgeFeature.REPLY,
          ForgeFeature.RESOLVE,
          ForgeFeature.DRAFT,
          ForgeFeature.CHECKS,
          ForgeFeature.RERUN,
          ForgeFeature.UPDATE_BRANCH,
          ForgeFeature.AUTO_MERGE,
          ForgeFeature.HOOKS);

  private final ForgeClient client;
  private final GitLabApi api;
  private final GitLabSnapshotReader reader;
  private final GitLabActs acts;

  /**
   * @param address its {@code api} ends in {@code /api/v4}
   * @param client sends the token; the forges of one host can share it
   */
  public GitLabForge(ForgeAddress address, ForgeClient client) {
    this.client = client;
    this.api = new GitLabApi(client, address.project(), new AtomicReference<>(Obj.EMPTY));
    this.reader = new GitLabSnapshotReader(api);
    this.acts = new GitLabActs(api, reader);
  }

  /**
   * How the forge is asked.
   *
   * @param api ends in {@code /api/v4}
   */
  public static ForgeClientSettings clientSettings(URI api) {
    return ForgeClientSettings.of(api, ForgeAuthorization.PRIVATE_TOKEN);
  }

  @Override
  public Set<ForgeFeature> features() {
    return Set.copyOf(FEATURES);
  }

  @Override
  public String signIn() throws ForgeException, InterruptedException {
    api.account().set(Obj.EMPTY);
    Obj self = api.self();
    Obj project = api.get(api.path(""));
    Obj permissions = project.object("permissions");
    long level =
        Math.max(
            permissions.object("project_access").number("access_level").orElse(0L),
            permissions.object("group_access").number("access_level").orElse(0L));
    if ((level < DEVELOPER && !self.is("is_admin")) || project.is("archived")) {
      throw new ForgeException(
          new ForgeError.Forbidden(
              "the token must have at least the role Developer in the project, which must not be"
                  + " archived"));
    }
    return GitLabApi.login(self);
  }

  @Override
  public Optional<ChangeRef> find(String branch, String base)
      throws ForgeException, InterruptedException {
    return api
        .list(
            api.path(
                "/merge_requests?state=opened&source_branch="
                    + ForgeRequest.encode(branch)
                    + "&target_branch="
                    + ForgeRequest.encode(base)))
        .stream()
        .filter(it -> it.number("source_project_id").equals(it.number("target_project_id")))
        .findFirst()
        .map(it -> new GitLabChange(it).reference());
  }

  @Override
  public ChangeRef find(String number) throws ForgeException, InterruptedException {
    return new GitLabChange(api.get(api.request(number, ""))).reference();
  }

  @Override
  public ChangeSnapshot snapshot(ChangeRef change) throws ForgeException, InterruptedException {
    return reader.read(change);
  }

  /** The log of a job. A status of another program has none. */
  @Override
  public String log(String check, int maxCharacters) throws ForgeException, InterruptedException {
    if (check.isBlank() || !check.chars().allMatch(Character::isDigit)) {
      return "";
    }
    try {
      byte[] tail =
          client.tail(
              api.path("/jobs/" + check + "/trace"),
              maxCharacters * MAX_BYTES_PER_CHARACTER,
              MAX_LOG_BYTES);
      String text = new String(tail, UTF_8);
      return text.substring(Math.max(0, text.length() - maxCharacters));
    } catch (ForgeException e) {
      if (e.error() instanceof ForgeError.NotFound) {
        return "";
      }
      throw e;
    }
  }

  @Override
  public ForgeActResult perform(ForgeAct act) throws InterruptedException {
    return ForgeWrites.perform(() ->
        switch (act) {
          case ForgeAct.Open open -> open(open);
          case ForgeAct.Edit edit -> acts.edit(edit);
          case ForgeAct.MarkReady ready -> acts.markReady(ready);
          case ForgeAct.RequestReview request -> acts.requestReview(request);
          case ForgeAct.Reply reply -> acts.reply(reply);
          case ForgeAct.Resolve resolve -> acts.resolve(resolve);
          case ForgeAct.Comment comment -> acts.comment(comment);
          case ForgeAct.RerunFailed rerun -> acts.rerunFailed(rerun);
          case ForgeAct.UpdateBranch update -> acts.updateBranch(update);
          case ForgeAct.Merge merge -> acts.merge(merge);
          case ForgeAct.Enqueue enqueue -> acts.enqueue(enqueue);
          case ForgeAct.Close close -> acts.close(close);
        });
  }

  private ForgeActResult open(ForgeAct.Open act) throws ForgeException, InterruptedException {
    Optional<ChangeRef> change = find(act.branch(), act.base());
    return change.isPresent() ? new ForgeActResult.Already(change.get().number()) : acts.open(act);
  }

  /** The client belongs to all projects of its host, so it stays open. */
  @Override
  public void close() {}
}
