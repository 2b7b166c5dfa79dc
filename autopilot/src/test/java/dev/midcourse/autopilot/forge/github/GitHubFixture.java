package dev.midcourse.autopilot.forge.github;

import dev.midcourse.autopilot.forge.ForgeCredential;
import dev.midcourse.autopilot.forge.fixture.MovedClock;
import dev.midcourse.autopilot.forge.http.ForgeClient;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeActResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The adapter, connected to the fake, with a pull request of the branch {@code work}. */
final class GitHubFixture implements AutoCloseable {
  static final String BRANCH = "work";

  final FakeGitHub github;
  final MovedClock clock = new MovedClock();
  final GitHubForge forge;
  final FakePullRequest pull;
  final ChangeRef change;
  private final List<AutoCloseable> opened = new ArrayList<>();

  GitHubFixture(Path folder) throws IOException, InterruptedException {
    this(new FakeGitHub(folder));
  }

  GitHubFixture(FakeGitHub github) throws IOException, InterruptedException {
    this.github = github;
    opened.add(github);
    github.repository.commit(BRANCH, "Login.java", "class Login {}\n");
    pull = github.addPull(BRANCH);
    forge = open(() -> new ForgeCredential.Secret("", FakeGitHub.TOKEN));
    change = new ChangeRef(Long.toString(pull.number), "");
  }

  /** Opens the adapter with another credential. */
  GitHubForge open(ForgeCredential credential) {
    ForgeClient client =
        new ForgeClient(
            GitHubForge.clientSettings(github.api())
                .withWriteInterval(Duration.ZERO)
                .withTimeout(Duration.ofSeconds(60)),
            credential,
            clock);
    opened.add(client);
    return new GitHubForge(client, github.api(), FakeGitHub.PROJECT, Duration.ofMillis(1));
  }

  /** Opens the adapter with a token. */
  GitHubForge open(String token) {
    return open(() -> new ForgeCredential.Secret("", token));
  }

  String head() throws IOException, InterruptedException {
    return github.head(pull);
  }

  ChangeSnapshot snapshot() throws Exception {
    return forge.snapshot(change);
  }

  ForgeActResult perform(ForgeAct act) throws InterruptedException {
    return forge.perform(act);
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable one : opened.reversed()) {
      one.close();
    }
  }
}
