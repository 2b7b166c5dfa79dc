package dev.midcourse.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.cli.exit.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The output of doctor, the list and the run about workers in bubblewrap. */
@Tag("sandbox")
class SandboxWorkerTest {
  private static final String NETWORK =
      "the network is on, because the agent needs it for its model";

  @TempDir private Path data;

  /**
   * Seen to fail when nothing says that the network is on, and when the doctor does not look where
   * the program of the agent is.
   */
  @Test
  void doctor_list_and_run_say_that_the_network_is_on_and_which_program_is_hidden()
      throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/bwrap")), "bwrap is missing");
    Path agent = Files.writeString(data.resolve("agent"), "#!/bin/sh\n");
    assertThat(agent.toFile().setExecutable(true)).isTrue();
    Files.writeString(
        data.resolve("midcourse.toml"),
        """
        [agents.misplaced]
        driver = "command"
        command = "%s"

        [workers.online]
        agent = "rehearsal"
        sandbox = "bwrap"

        [workers.offline]
        agent = "misplaced"
        sandbox = "bwrap"
        network = false
        """
            .formatted(agent));
    try (RealHub hub = RealHub.start(data)) {
      assertThat(hub.cli().type("doctor").out())
          .containsPattern("online +bwrap works, with /usr/bin/bwrap; " + NETWORK)
          .containsPattern("offline +bwrap works, with /usr/bin/bwrap; no network")
          .contains("the agent needs " + agent);
      assertThat(hub.cli().type("workers").out())
          .contains("bwrap, /usr/bin/bwrap, network on", "bwrap, /usr/bin/bwrap, no network");
      String elsewhere = Files.createDirectories(data.resolve("elsewhere")).toString();
      CliRunner.Typed run =
          hub.cli().type("run", "--worker", "online", "--id", "r", "--dir", elsewhere, "Hello.");
      assertThat(run.code()).as(run.all()).isEqualTo(ExitCode.DONE);
      assertThat(hub.cli().type("logs", "r").out()).contains(NETWORK);
      CliRunner.Typed failed =
          hub.cli().type("run", "--worker", "offline", "--id", "s", "--dir", elsewhere, "Go.");
      assertThat(failed.all()).contains("the sandbox hides this path").doesNotContain(NETWORK);
    }
  }
}
