package dev.midcourse.autopilot.forge.gerrit;

import static dev.midcourse.autopilot.ForgeLoops.commits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.autopilot.ForgeLoops;
import dev.midcourse.core.loop.CallKind;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopCall;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ForgeKind;
import dev.midcourse.core.loop.forge.LoopForge;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole loop at a real Gerrit. Bob reviews, and another account is CI. */
@Tag("setup")
@SuppressWarnings("NullAway.Init")
class GerritLoopTest {
  private static GerritServer server;

  @BeforeAll
  static void start(@TempDir Path site) throws Exception {
    server = GerritServer.start(site);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  /** Seen to fail when {@code /a/} of the address is taken for a part of the project. */
  @Test
  void a_rejected_patch_set_is_followed_by_one_that_is_approved_and_submitted(@TempDir Path folder)
      throws Exception {
    String password = GerritServer.MIDCOURSE.password();
    try (GerritProject gerrit =
            new GerritProject(server, Files.createDirectory(folder.resolve("people")));
        ForgeLoops loops =
            new ForgeLoops(
                folder,
                new ForgeLoops.AtForge(ForgeKind.GERRIT, server.url(), "midcourse", password))) {
      loops.git("fetch -q " + gerrit.work().folder() + " origin/main:refs/heads/of-gerrit");
      loops.git("reset -q --hard of-gerrit");
      loops.git("remote add origin " + server.url() + "/a/" + gerrit.name());
      Loop loop =
          loops.create(
              "Write the greeting.\n" + commits("app.txt", "wrong"), "bob", true, Optional.empty());
      loops.guideFix(loop, commits("app.txt", "right"));
      String first = awaitCheck(loops, loop, "");
      ChangeRef change = change(loops.now(loop));
      gerrit.report(change, first, true);
      gerrit.requestChange(change, "app.txt", 1, "This word is wrong.");
      loops.restart();

      String second = awaitCheck(loops, loop, first);
      gerrit.report(change, second, true);
      gerrit.approve(change);
      Loop done = loops.awaitPhase(loop, LoopPhase.DONE);

      assertThat(done.calls())
          .extracting(LoopCall::kind)
          .containsExactly(CallKind.IMPLEMENT, CallKind.FIX);
      assertThat(done.result()).contains("reviewed by @bob", "CI green", "landed");
      assertThat(change(done)).isEqualTo(change);
      gerrit.work().run("fetch", "--quiet", "origin");
      assertThat(gerrit.work().run("show", "origin/main:app.txt")).isEqualTo("right");
      assertThat(gerrit.work().run("rev-list", "--count", "origin/main")).isEqualTo("2");
      assertThat(gerrit.forge().snapshot(change).threads()).allMatch(it -> it.resolved());
      assertThat(loops.filesWith(password)).isEmpty();
      assertThat(loops.log()).noneMatch(it -> it.contains(password));
    }
  }

  private static ChangeRef change(Loop loop) {
    return loop.forge().flatMap(LoopForge::change).orElseThrow();
  }

  /** Waits until another head than this one is checked. Returns it. */
  private static String awaitCheck(ForgeLoops loops, Loop loop, String not) {
    await()
        .until(() -> {
          Loop now = loops.now(loop);
          boolean other = now.head().filter(it -> !it.equals(not)).isPresent();
          return now.phase().hasEnded()
              || now.phase() == LoopPhase.PARKED
              || (other && now.phase() == LoopPhase.CHECK);
        });
    Loop now = loops.now(loop);
    assertThat(now.phase()).as("%s %s", now.parking(), now.result()).isEqualTo(LoopPhase.CHECK);
    return now.head().orElseThrow();
  }
}
