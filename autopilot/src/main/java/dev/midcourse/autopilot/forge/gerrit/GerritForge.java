package dev.midcourse.autopilot.forge.gerrit;

import dev.midcourse.autopilot.forge.Forge;
import dev.midcourse.autopilot.forge.ForgeAddress;
import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.ForgePush;
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

/**
 * A project at Gerrit. A change is opened by a push ({@link #push}), and found by the id that
 * follows from the name of its branch.
 */
public final class GerritForge implements Forge {
  private static final Set<ForgeFeature> FEATURES =
      EnumSet.of(
          ForgeFeature.NATIVE_THREADS,
          ForgeFeature.REPLY,
          ForgeFeature.RESOLVE,
          ForgeFeature.DRAFT,
          ForgeFeature.CHECKS,
          ForgeFeature.UPDATE_BRANCH);

  private final String web;
  private final String project;
  private final GerritApi api;
  private final GerritSnapshotReader reader;
  private final GerritActs acts;

  /**
   * @param address its {@code api} is the address of Gerrit, without {@code /a}
   * @param client sends name and HTTP password of the account; the forges of one host can share it
   */
  public GerritForge(ForgeAddress address, ForgeClient client) {
    this.web = address.api().toString().replaceAll("/+$", "");
    this.project = address.project();
    this.api = new GerritApi(client, project, new AtomicReference<>(Obj.EMPTY));
    this.reader = new GerritSnapshotReader(this.api);
    this.acts = new GerritActs(this.api, reader);
  }

  /** How Gerrit is asked. */
  public static ForgeClientSettings clientSettings(URI api) {
    return ForgeClientSettings.of(api, ForgeAuthorization.BASIC);
  }

  @Override
  public Set<ForgeFeature> features() {
    return Set.copyOf(FEATURES);
  }

  /** Gerrit does not say whether an account may push; the first push shows it. */
  @Override
  public String signIn() throws ForgeException, InterruptedException {
    api.account().set(Obj.EMPTY);
    Obj self = api.self();
    Obj described = api.object("/a/projects/" + ForgeRequest.encode(project));
    if (!described.string("state").orElse("").equals("ACTIVE")) {
      throw new ForgeException(
          new ForgeError.Forbidden("the project " + project + " is not active"));
    }
    return GerritApi.login(self);
  }

  /**
   * A change is one commit, which the push of another one with the same {@code Change-Id} replaces.
   * The name of the head goes with the push, so that the snapshots can name it.
   */
  @Override
  public ForgePush push(ForgeAct.Open change, String head)
      throws ForgeException, InterruptedException {
    Obj self = api.self();
    boolean isNew = find(change.branch(), change.base()).isEmpty();
    return GerritPush.of(
        project,
        change,
        head,
        isNew,
        self.string("name").orElseGet(() -> GerritApi.login(self)),
        self.string("email").orElse(""));
  }

  @Override
  public Optional<ChangeRef> find(String branch, String base)
      throws ForgeException, InterruptedException {
    String key =
        ForgeRequest.encode(project)
            + "~"
            + ForgeRequest.encode(base)
            + "~"
            + GerritPush.changeId(project, branch);
    try {
      GerritChange change = new GerritChange(api.object("/a/changes/" + key), "");
      return change.state() == ChangeSnapshot.State.OPEN
          ? Optional.of(reference(change))
          : Optional.empty();
    } catch (ForgeException e) {
      if (e.error() instanceof ForgeError.NotFound) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public ChangeRef find(String number) throws ForgeException, InterruptedException {
    return reference(new GerritChange(api.object(api.change(number)), ""));
  }

  private ChangeRef reference(GerritChange change) {
    String number = change.json().text("_number").orElse("");
    return new ChangeRef(number, web + "/c/" + project + "/+/" + number);
  }

  @Override
  public ChangeSnapshot snapshot(ChangeRef change) throws ForgeException, InterruptedException {
    return reader.read(change);
  }

  /** Gerrit has no logs of checks. */
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
          case ForgeAct.Close close -> acts.close(close);
          case ForgeAct.RerunFailed _ ->
              ForgeWrites.invalid("Gerrit cannot run checks again: CI has to do it");
          case ForgeAct.Enqueue _ -> ForgeWrites.invalid("Gerrit has no merge queue");
        });
  }

  /** The push has opened the change. */
  private ForgeActResult open(ForgeAct.Open act) throws ForgeException, InterruptedException {
    Optional<ChangeRef> change = find(act.branch(), act.base());
    return change.isPresent()
        ? new ForgeActResult.Already(change.get().number())
        : ForgeWrites.notFound(
            "Gerrit has no open change for "
                + act.branch()
                + ": a push to refs/for/"
                + act.base()
                + " opens it");
  }

  /** The client belongs to all projects of its host, so it stays open. */
  @Override
  public void close() {}
}
