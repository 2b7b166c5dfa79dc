package dev.midcourse.autopilot.forge.github;

import dev.midcourse.autopilot.forge.FaultProxy;
import dev.midcourse.autopilot.forge.Forge;
import dev.midcourse.autopilot.forge.ForgeCredential;
import dev.midcourse.autopilot.forge.ForgeProject;
import dev.midcourse.autopilot.forge.fixture.JsonCalls;
import dev.midcourse.autopilot.forge.http.ForgeClient;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.loop.forge.ChangeRef;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The repository of a {@link FakeGitHub}. */
final class GitHubProject implements ForgeProject {
  private static final String REVIEWER = "dora";
  private static final String REVIEWER_TOKEN = "ghp_tokenOfDora";
  private static final String CHECK = "build";

  private final FakeGitHub github;
  private final FaultProxy network;
  private final List<ForgeClient> clients = new ArrayList<>();
  private final Forge forge;
  private final Forge stranger;

  GitHubProject(Path folder) throws IOException, InterruptedException {
    github = new FakeGitHub(folder);
    github.logins.put(REVIEWER_TOKEN, REVIEWER);
    network = new FaultProxy(github.api());
    forge = open(FakeGitHub.TOKEN);
    stranger = open("wrong");
  }

  private GitHubForge open(String token) {
    ForgeClient client =
        new ForgeClient(
            GitHubForge.clientSettings(network.url()).withWriteInterval(Duration.ZERO),
            () -> new ForgeCredential.Secret("", token),
            InstantSource.system());
    clients.add(client);
    return new GitHubForge(client, network.url(), FakeGitHub.PROJECT, Duration.ofMillis(1));
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
    return REVIEWER;
  }

  @Override
  public String check() {
    return CHECK;
  }

  @Override
  public String publish(String branch, String file, String text) throws Exception {
    synchronized (github) {
      String head = github.repository.commit(branch, file, text);
      for (FakePullRequest pull : github.pulls.values()) {
        if (pull.branch.equals(branch)) {
          pull.threads.forEach(thread -> thread.outdated |= thread.path.equals(file));
        }
        boolean conflicts = github.repository.conflicts(pull.branch, pull.base);
        pull.mergeable = Optional.of(!conflicts);
        pull.mergeState = conflicts ? "DIRTY" : "CLEAN";
      }
      return head;
    }
  }

  @Override
  public String pushOfOther(ChangeRef change, String branch, String file, String text)
      throws Exception {
    return publish(branch, file, text);
  }

  @Override
  public void pushToBase(String file, String text) throws Exception {
    publish("main", file, text);
  }

  private FakePullRequest pull(ChangeRef change) {
    return github.pull(change.number()).orElseThrow();
  }

  private void review(ChangeRef change, String state, String body) throws Exception {
    FakePullRequest pull = pull(change);
    pull.requested.remove(REVIEWER);
    pull.reviews.add(
        new FakePullRequest.Review(
            github.nextId(), REVIEWER, state, Optional.of(github.head(pull)), body));
  }

  @Override
  public void requestChange(ChangeRef change, String file, int line, String text) throws Exception {
    synchronized (github) {
      review(change, "CHANGES_REQUESTED", "Not yet.");
      github.addThread(pull(change), REVIEWER, file, Optional.of(line), text);
    }
  }

  @Override
  public void approve(ChangeRef change) throws Exception {
    synchronized (github) {
      review(change, "APPROVED", "");
    }
  }

  @Override
  public void report(ChangeRef change, String head, boolean green) {
    synchronized (github) {
      github.checkRuns.remove(head);
      github.addCheck(head, github.check(CHECK, green ? "success" : "failure"));
    }
  }

  private void call(String method, String path, JsonValue.Obj body) throws Exception {
    JsonCalls.call(
        github.api().resolve("/repos/" + FakeGitHub.PROJECT + path),
        method,
        Map.of("Authorization", "Bearer " + REVIEWER_TOKEN),
        body);
  }

  @Override
  public void closeByOther(ChangeRef change) throws Exception {
    call("PATCH", "/pulls/" + change.number(), JsonValue.object().with("state", "closed"));
  }

  @Override
  public void mergeByOther(ChangeRef change) throws Exception {
    call(
        "PUT",
        "/pulls/" + change.number() + "/merge",
        JsonValue.object().with("sha", github.head(pull(change))));
  }

  @Override
  public boolean readsThreads(FaultProxy.Seen request) {
    return request.body().contains("reviewThreads");
  }

  @Override
  public boolean writes(FaultProxy.Seen request) {
    return !request.method().equals("GET")
        && (!request.path().endsWith("/graphql") || request.body().contains("mutation("));
  }

  @Override
  public void close() {
    clients.forEach(ForgeClient::close);
    network.close();
    github.close();
  }
}
