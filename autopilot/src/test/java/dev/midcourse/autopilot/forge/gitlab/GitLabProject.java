package dev.midcourse.autopilot.forge.gitlab;

import dev.midcourse.autopilot.forge.FaultProxy;
import dev.midcourse.autopilot.forge.Forge;
import dev.midcourse.autopilot.forge.ForgeAddress;
import dev.midcourse.autopilot.forge.ForgeCredential.Secret;
import dev.midcourse.autopilot.forge.ForgeProject;
import dev.midcourse.autopilot.forge.fixture.JsonCalls;
import dev.midcourse.autopilot.forge.http.ForgeClient;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ForgeKind;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The project of a {@link FakeGitLab}. */
final class GitLabProject implements ForgeProject {
  private final FakeGitLab server = new FakeGitLab();
  private final List<ForgeClient> clients = new ArrayList<>();
  private final FaultProxy network = new FaultProxy(server.url());
  private final GitLabForge forge = forge("midcourse-token");
  private final GitLabForge stranger = forge("wrong");

  GitLabProject() throws IOException {}

  private GitLabForge forge(String token) {
    ForgeClient client =
        new ForgeClient(
            GitLabForge.clientSettings(network.url().resolve("/api/v4"))
                .withWriteInterval(Duration.ZERO),
            () -> new Secret("", token),
            InstantSource.system());
    clients.add(client);
    return new GitLabForge(
        new ForgeAddress(ForgeKind.GITLAB, network.url().resolve("/api/v4"), FakeGitLab.PROJECT),
        client);
  }

  FakeGitLab server() {
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
    return "build";
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
        server.url().resolve("/api/v4/projects/1" + path),
        method,
        Map.of("PRIVATE-TOKEN", user + "-token"),
        body);
  }

  private static String request(ChangeRef change, String rest) {
    return "/merge_requests/" + change.number() + rest;
  }

  @Override
  public void requestChange(ChangeRef change, String file, int line, String text) throws Exception {
    Obj refs = call("bob", "GET", request(change, ""), Obj.EMPTY).object("diff_refs");
    Obj position =
        refs.with("position_type", "text")
            .with("old_path", file)
            .with("new_path", file)
            .with("new_line", line);
    call(
        "bob",
        "POST",
        request(change, "/discussions"),
        Obj.EMPTY.with("body", text).with("position", position));
  }

  @Override
  public void approve(ChangeRef change) throws Exception {
    call("bob", "POST", request(change, "/approve"), Obj.EMPTY);
  }

  @Override
  public void report(ChangeRef change, String head, boolean green) throws Exception {
    call(
        "ci",
        "POST",
        "/statuses/" + head,
        Obj.EMPTY
            .with("state", green ? "success" : "failed")
            .with("name", "build")
            .with("ref", "autopilot/fix-it"));
  }

  @Override
  public void closeByOther(ChangeRef change) throws Exception {
    call("bob", "PUT", request(change, ""), Obj.EMPTY.with("state_event", "close"));
  }

  @Override
  public void mergeByOther(ChangeRef change) throws Exception {
    call("bob", "GET", request(change, ""), Obj.EMPTY);
    call("bob", "PUT", request(change, "/merge"), Obj.EMPTY);
  }

  @Override
  public boolean readsThreads(FaultProxy.Seen request) {
    return request.path().contains("/discussions?");
  }

  @Override
  public void close() {
    clients.forEach(ForgeClient::close);
    network.close();
    server.close();
  }
}
