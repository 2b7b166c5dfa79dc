package dev.midcourse.autopilot.forge.gitea;

import dev.midcourse.autopilot.forge.FaultProxy;
import dev.midcourse.autopilot.forge.Forge;
import dev.midcourse.autopilot.forge.ForgeAddress;
import dev.midcourse.autopilot.forge.ForgeCredential.Secret;
import dev.midcourse.autopilot.forge.ForgeProject;
import dev.midcourse.autopilot.forge.fixture.JsonCalls;
import dev.midcourse.autopilot.forge.http.ForgeClient;
import dev.midcourse.core.json.JsonValue.Arr;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ForgeKind;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The repository of a {@link FakeGitea}. */
final class GiteaProject implements ForgeProject {
  private final FakeGitea server;
  private final List<ForgeClient> clients = new ArrayList<>();
  private final FaultProxy network;
  private final GiteaForge forge;
  private final GiteaForge stranger;

  GiteaProject(String version) throws IOException {
    this.server = new FakeGitea(version);
    this.network = new FaultProxy(server.url());
    this.forge = forge("midcourse-token");
    this.stranger = forge("wrong");
  }

  private GiteaForge forge(String token) {
    ForgeClient client =
        new ForgeClient(
            GiteaForge.clientSettings(network.url().resolve("/api/v1"))
                .withWriteInterval(Duration.ZERO),
            () -> new Secret("", token),
            InstantSource.system());
    clients.add(client);
    return new GiteaForge(
        new ForgeAddress(ForgeKind.GITEA, network.url().resolve("/api/v1"), FakeGitea.PROJECT),
        client);
  }

  FakeGitea server() {
    return server;
  }

  @Override
  public Forge forge() {
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
    return "ci/build";
  }

  @Override
  public String publish(String branch, String file, String text) {
    return server.push(branch, file, text);
  }

  @Override
  public String pushOfOther(ChangeRef change, String branch, String file, String text) {
    return server.push(branch, file, text);
  }

  @Override
  public void pushToBase(String file, String text) {
    server.push("main", file, text);
  }

  Obj call(String user, String method, String path, Obj body) throws Exception {
    return JsonCalls.call(
        server.url().resolve("/api/v1/repos/team/shop" + path),
        method,
        Map.of("Authorization", "token " + user + "-token"),
        body);
  }

  @Override
  public void requestChange(ChangeRef change, String file, int line, String text) throws Exception {
    Obj comment = Obj.EMPTY.with("path", file).with("new_position", line).with("body", text);
    call(
        "bob",
        "POST",
        "/pulls/" + change.number() + "/reviews",
        Obj.EMPTY
            .with("event", "REQUEST_CHANGES")
            .with("body", "Not yet.")
            .with("comments", new Arr(List.of(comment))));
  }

  @Override
  public void approve(ChangeRef change) throws Exception {
    call(
        "bob",
        "POST",
        "/pulls/" + change.number() + "/reviews",
        Obj.EMPTY.with("event", "APPROVED"));
  }

  @Override
  public void report(ChangeRef change, String head, boolean green) throws Exception {
    call(
        "ci",
        "POST",
        "/statuses/" + head,
        Obj.EMPTY.with("state", green ? "success" : "failure").with("context", "ci/build"));
  }

  @Override
  public void closeByOther(ChangeRef change) throws Exception {
    call("bob", "PATCH", "/pulls/" + change.number(), Obj.EMPTY.with("state", "closed"));
  }

  @Override
  public void mergeByOther(ChangeRef change) throws Exception {
    call("bob", "GET", "/pulls/" + change.number(), Obj.EMPTY);
    call("bob", "POST", "/pulls/" + change.number() + "/merge", Obj.EMPTY.with("Do", "merge"));
  }

  @Override
  public boolean readsThreads(FaultProxy.Seen request) {
    return request.path().matches(".*/reviews/\\d+/comments.*") && request.method().equals("GET");
  }

  @Override
  public void close() {
    clients.forEach(ForgeClient::close);
    network.close();
    server.close();
  }
}
