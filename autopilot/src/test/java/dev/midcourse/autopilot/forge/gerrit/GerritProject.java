package dev.midcourse.autopilot.forge.gerrit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.git.RemoteBranch;
import dev.midcourse.agents.git.RemoteBranch.PushResult;
import dev.midcourse.agents.git.Repository;
import dev.midcourse.agents.git.SquashedCommit;
import dev.midcourse.autopilot.forge.FaultProxy;
import dev.midcourse.autopilot.forge.Forge;
import dev.midcourse.autopilot.forge.ForgeAddress;
import dev.midcourse.autopilot.forge.ForgeCredential.Secret;
import dev.midcourse.autopilot.forge.ForgeProject;
import dev.midcourse.autopilot.forge.ForgePush;
import dev.midcourse.autopilot.forge.GitCommands;
import dev.midcourse.autopilot.forge.gerrit.GerritServer.Account;
import dev.midcourse.autopilot.forge.http.ForgeClient;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonValue.Arr;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A project of a real Gerrit. */
final class GerritProject implements ForgeProject {
  private final GerritServer server;
  private final String project = "shop-" + UUID.randomUUID();
  private final List<ForgeClient> clients = new ArrayList<>();
  private final FaultProxy network;
  private final GerritForge forge;
  private final GerritForge stranger;
  private final GitCommands work;
  private final GitCommands other;

  GerritProject(GerritServer server, Path folder) throws Exception {
    this.server = server;
    this.network = new FaultProxy(server.url());
    server.createProject(project);
    this.forge = forge(new Secret("midcourse", GerritServer.MIDCOURSE.password()));
    this.stranger = forge(new Secret("midcourse", "wrong"));
    this.work = clone(folder, "work", GerritServer.MIDCOURSE, "agent@localhost");
    this.other = clone(folder, "other", GerritServer.BOB, GerritServer.BOB.email());
  }

  private GerritForge forge(Secret secret) {
    return new GerritForge(
        new ForgeAddress(ForgeKind.GERRIT, network.url(), project), client(secret));
  }

  private ForgeClient client(Secret secret) {
    ForgeClient client =
        new ForgeClient(
            GerritForge.clientSettings(network.url()).withWriteInterval(Duration.ZERO),
            () -> secret,
            InstantSource.system());
    clients.add(client);
    return client;
  }

  private GitCommands clone(Path folder, String name, Account account, String email)
      throws Exception {
    Path at = Files.createDirectory(folder.resolve(name));
    GitCommands git = new GitCommands(at, name, email);
    git.run("clone", "--quiet", server.remote(account, project), ".");
    return git;
  }

  String name() {
    return project;
  }

  GitCommands work() {
    return work;
  }

  @Override
  public GerritForge forge() {
    return forge;
  }

  @Override
  public Forge forgeOfStranger() {
    return stranger;
  }

  @Override
  public FaultProxy network() {
    return network;
  }

  @Override
  public String reviewer() {
    return "bob";
  }

  @Override
  public String check() {
    return "Verified";
  }

  @Override
  public String publish(String branch, String file, String text) throws Exception {
    boolean isNew = work.run("branch", "--list", branch).isEmpty();
    if (isNew) {
      work.run("checkout", "--quiet", "-b", branch, "origin/main");
    } else {
      work.run("checkout", "--quiet", branch);
    }
    work.commit(file, text, "Work of the agent");
    return push(branch);
  }

  /** Pushes a branch as the hub does: squashed, as a patch set of its change. */
  String push(String branch) throws Exception {
    String head = work.run("rev-parse", branch);
    ForgePush push =
        forge.push(new ForgeAct.Open(branch, "main", "Fix it", "It was broken.", true), head);
    ForgePush.Squash squash = push.squash().orElseThrow();
    String commit =
        new SquashedCommit(squash.message(), squash.name(), squash.email())
            .create(Repository.at(work.folder()), head, "refs/remotes/origin/main");
    RemoteBranch remote =
        new RemoteBranch(
            Repository.at(work.folder()),
            server.url() + "/a/" + project,
            Optional.of(new RemoteBranch.Login("midcourse", GerritServer.MIDCOURSE.password())));
    assertThat(remote.push(commit, push.reference())).isEqualTo(new PushResult.Done());
    return head;
  }

  /**
   * @param branch may be options of the push instead, which begin with a percent sign
   */
  @Override
  public String pushOfOther(ChangeRef change, String branch, String file, String text)
      throws Exception {
    Obj revision =
        get("/changes/" + project + "~" + change.number() + "?o=CURRENT_REVISION&o=CURRENT_COMMIT");
    Obj head =
        revision.object("revisions").object(revision.string("current_revision").orElseThrow());
    other.run("fetch", "--quiet", "origin", head.string("ref").orElseThrow());
    other.run("checkout", "--quiet", "FETCH_HEAD");
    Files.writeString(other.folder().resolve(file), text);
    other.run("add", file);
    other.run("commit", "--quiet", "--amend", "--no-edit");
    String options = branch.startsWith("%") ? branch : "";
    other.run("push", "--quiet", "origin", "HEAD:refs/for/main" + options);
    return other.run("rev-parse", "HEAD");
  }

  @Override
  public void pushToBase(String file, String text) throws Exception {
    other.run("checkout", "--quiet", "--detach", "origin/main");
    other.commit(file, text, "Work of somebody else");
    other.run("push", "--quiet", "origin", "HEAD:refs/heads/main");
  }

  private Obj get(String path) throws Exception {
    return (Obj) server.call(GerritServer.ADMIN, "GET", path, Obj.EMPTY);
  }

  void setSubmitType(String type) throws Exception {
    server.call(
        GerritServer.ADMIN,
        "PUT",
        "/projects/" + project + "/config",
        Obj.EMPTY.with("submit_type", type));
  }

  void review(Account account, ChangeRef change, String revision, Obj review) throws Exception {
    server.call(
        account,
        "POST",
        "/changes/" + project + "~" + change.number() + "/revisions/" + revision + "/review",
        review);
  }

  static Obj labels(String label, int value) {
    return Obj.EMPTY.with("labels", Obj.EMPTY.with(label, value));
  }

  @Override
  public void requestChange(ChangeRef change, String file, int line, String text) throws Exception {
    Obj comment = Obj.EMPTY.with("line", line).with("message", text).with("unresolved", true);
    review(
        GerritServer.BOB,
        change,
        "current",
        labels("Code-Review", -1)
            .with("message", "Not yet.")
            .with("comments", Obj.EMPTY.with(file, new Arr(List.of((JsonValue) comment)))));
  }

  @Override
  public void approve(ChangeRef change) throws Exception {
    review(GerritServer.BOB, change, "current", labels("Code-Review", 2));
  }

  @Override
  public void report(ChangeRef change, String head, boolean green) throws Exception {
    assertThat(forge.snapshot(change).head()).isEqualTo(head);
    review(
        GerritServer.CI,
        change,
        "current",
        labels("Verified", green ? 1 : -1).with("message", green ? "All is well" : "2 failed"));
  }

  @Override
  public void closeByOther(ChangeRef change) throws Exception {
    server.call(
        GerritServer.ADMIN,
        "POST",
        "/changes/" + project + "~" + change.number() + "/abandon",
        Obj.EMPTY);
  }

  @Override
  public void mergeByOther(ChangeRef change) throws Exception {
    server.call(
        GerritServer.ADMIN,
        "POST",
        "/changes/" + project + "~" + change.number() + "/submit",
        Obj.EMPTY);
  }

  @Override
  public boolean readsThreads(FaultProxy.Seen request) {
    return request.path().endsWith("/comments");
  }

  @Override
  public void close() {
    clients.forEach(ForgeClient::close);
    network.close();
  }
}
