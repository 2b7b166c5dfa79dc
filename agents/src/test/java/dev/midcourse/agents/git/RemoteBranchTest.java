package dev.midcourse.agents.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.midcourse.agents.git.RemoteBranch.PushResult;
import dev.midcourse.core.contract.BranchName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pushes to a forge, with real repositories. */
class RemoteBranchTest {
  private static final String WORK = "refs/heads/work";

  @TempDir private Path folder;

  @BeforeEach
  void create() throws Exception {
    sh(
        folder,
        "git init -q --bare -b main forge.git; git init -q -b main shop; cd shop; echo a > a;"
            + " git add .; git commit -qm a; git push -q ../forge.git main; git branch work");
  }

  private static String sh(Path dir, String script) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-ec", script).directory(dir.toFile()).redirectErrorStream(true);
    builder.environment().put("GIT_AUTHOR_NAME", "Anna");
    builder.environment().put("GIT_AUTHOR_EMAIL", "anna@localhost");
    builder.environment().put("GIT_COMMITTER_NAME", "Anna");
    builder.environment().put("GIT_COMMITTER_EMAIL", "anna@localhost");
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out.strip();
  }

  private RemoteBranch remote(String address, Optional<RemoteBranch.Login> login) {
    return new RemoteBranch(Repository.at(folder.resolve("shop")), address, login);
  }

  private RemoteBranch forge() {
    return remote(folder.resolve("forge.git").toString(), Optional.empty());
  }

  private String tip() throws Exception {
    return sh(folder, "git -C shop rev-parse work");
  }

  @Test
  void a_push_creates_the_branch_and_may_be_repeated() throws Exception {
    assertThat(forge().push(tip(), WORK)).isInstanceOf(PushResult.Done.class);
    assertThat(forge().push(tip(), WORK)).isInstanceOf(PushResult.Done.class);
    assertThat(forge().tip("work")).contains(tip());
    assertThat(forge().branchesAt(tip())).containsExactly("main", "work");
  }

  /** Seen to fail when the push is forced. */
  @Test
  void t655_a_push_does_not_overwrite_what_somebody_else_has_pushed() throws Exception {
    String foreign =
        sh(
            folder,
            "git clone -q forge.git other; cd other; git checkout -q -b work; echo b > b;"
                + " git add .; git commit -qm b; git push -q origin work; git rev-parse HEAD");
    String ours =
        sh(
            folder,
            "cd shop; git checkout -q work; echo c > c; git add .; git commit -qm c;"
                + " git checkout -q main; git rev-parse work");
    assertThat(forge().push(ours, WORK)).isInstanceOf(PushResult.Foreign.class);
    assertThat(forge().tip("work")).contains(foreign);
    assertThat(forge().fetch("work")).contains(foreign);
    assertThat(sh(folder, "git -C shop cat-file -t " + foreign)).isEqualTo("commit");
  }

  @Test
  void a_rule_of_the_forge_refuses_a_push() throws Exception {
    sh(
        folder,
        "printf '#!/bin/sh\\nexit 1\\n' > forge.git/hooks/pre-receive;"
            + " chmod +x forge.git/hooks/pre-receive");
    assertThat(forge().push(tip(), WORK)).isInstanceOf(PushResult.Refused.class);
  }

  @Test
  void a_forge_that_is_not_there_is_unreachable() throws Exception {
    PushResult result = remote("http://127.0.0.1:1/shop.git", Optional.empty()).push(tip(), WORK);
    assertThat(result).isInstanceOf(PushResult.Unreachable.class);
  }

  /** Seen to fail when the helper gets no secret, and when a rejected one is not told apart. */
  @Test
  void the_forge_gets_the_secret_as_a_password_and_a_rejected_one_is_told_apart() throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        call -> {
          String given = call.getRequestHeaders().getFirst("Authorization");
          seen.add(given == null ? "" : given);
          call.getResponseHeaders().add("WWW-Authenticate", "Basic realm=\"forge\"");
          call.sendResponseHeaders(401, -1);
          call.close();
        });
    server.start();
    try {
      String address = "http://127.0.0.1:" + server.getAddress().getPort() + "/acme/shop.git";
      RemoteBranch.Login login = new RemoteBranch.Login("anna", "s3cret");
      PushResult result = remote(address, Optional.of(login)).push(tip(), WORK);
      assertThat(result).isInstanceOf(PushResult.Unauthorized.class);
      assertThat(result.toString()).doesNotContain("s3cret");
      String basic =
          Base64.getEncoder().encodeToString("anna:s3cret".getBytes(StandardCharsets.UTF_8));
      assertThat(seen).contains("Basic " + basic);
      assertThat(login.toString()).doesNotContain("s3cret");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void an_adopted_branch_begins_at_the_forge_and_is_never_moved_back() throws Exception {
    Repository repository = Repository.at(folder.resolve("shop"));
    String first = tip();
    repository.adopt(BranchName.of("theirs"), first);
    assertThat(sh(folder, "git -C shop rev-parse theirs")).isEqualTo(first);
    sh(
        folder,
        "cd shop; git checkout -q theirs; echo d > d; git add .; git commit -qm d; git checkout -q main");
    assertThatThrownBy(() -> repository.adopt(BranchName.of("theirs"), first))
        .hasMessageContaining("commits that the forge has not");
  }
}
