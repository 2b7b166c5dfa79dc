package dev.midcourse.autopilot.forge.gitea;

import dev.midcourse.autopilot.forge.Forge;
import dev.midcourse.autopilot.forge.ForgeAddress;
import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.ForgeWrites;
import dev.midcourse.autopilot.forge.http.ForgeAuthorization;
import dev.midcourse.autopilot.forge.http.ForgeClient;
import dev.midcourse.autopilot.forge.http.ForgeClientSettings;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeActResult;
import dev.midcourse.core.loop.forge.ForgeError;
import dev.midcourse.core.loop.forge.ForgeFeature;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** A repository at Gitea or Forgejo. */
public final class GiteaForge implements Forge {
  private final GiteaApi api;
  private final GiteaSnapshotReader reader;
  private final GiteaActs acts;

  /**
   * @param address its {@code api} ends in {@code /api/v1}
   * @param client sends the token; the forges of one host can share it
   */
  public GiteaForge(ForgeAddress address, ForgeClient client) {
    this.api =
        new GiteaApi(
            client,
            address.project(),
            new AtomicReference<>(Obj.EMPTY),
            new AtomicReference<>(Obj.EMPTY));
    this.reader = new GiteaSnapshotReader(api);
    this.acts = new GiteaActs(api, reader);
  }

  /**
   * How the forge is asked.
   *
   * @param api ends in {@code /api/v1}
   */
  public static ForgeClientSettings clientSettings(URI api) {
    return ForgeClientSettings.of(api, ForgeAuthorization.TOKEN);
  }

  @Override
  public Set<ForgeFeature> features() throws ForgeException, InterruptedException {
    return api.version().features();
  }

  @Override
  public String signIn() throws ForgeException, InterruptedException {
    api.account().set(Obj.EMPTY);
    Obj self = api.self();
    Obj repository = api.get(api.path(""));
    if (!repository.object("permissions").is("push") || repository.is("archived")) {
      throw new ForgeException(
          new ForgeError.Forbidden(
              "the account may not push to the repository, or the repository is archived"));
    }
    return GiteaApi.login(self);
  }

  @Override
  public Optional<ChangeRef> find(String branch, String base)
      throws ForgeException, InterruptedException {
    return api.list(api.path("/pulls?state=open&sort=recentupdate&" + GiteaApi.PAGE)).stream()
        .map(GiteaChange::new)
        .filter(it -> it.branch().equals(branch) && it.base().equals(base))
        .filter(GiteaChange::isOfRepository)
        .findFirst()
        .map(GiteaChange::reference);
  }

  @Override
  public ChangeRef find(String number) throws ForgeException, InterruptedException {
    return new GiteaChange(api.get(api.pull(number, ""))).reference();
  }

  @Override
  public ChangeSnapshot snapshot(ChangeRef change) throws ForgeException, InterruptedException {
    return reader.read(change);
  }

  /** A commit status has no log. */
  @Override
  public String log(String check, int maxCharacters) {
    return "";
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
          case ForgeAct.UpdateBranch update -> acts.updateBranch(update);
          case ForgeAct.Merge merge -> acts.merge(merge);
          case ForgeAct.Enqueue enqueue -> acts.enqueue(enqueue);
          case ForgeAct.Close close -> acts.close(close);
          case ForgeAct.RerunFailed _ ->
              ForgeWrites.invalid("a commit status cannot be run again by the forge");
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
