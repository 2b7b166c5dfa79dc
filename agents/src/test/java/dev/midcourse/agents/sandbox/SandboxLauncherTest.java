package dev.midcourse.agents.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is refused where something is missing, and the limits that need no sandbox. */
class SandboxLauncherTest {
  private static final SandboxSpec SANDBOX =
      new SandboxSpec(new Sandbox.Bubblewrap(true, List.of(), List.of()));

  @TempDir private Path folder;

  @Test
  void without_confinement_a_command_stays_what_it_is() throws Exception {
    assertThat(confined(SandboxLauncher.ofThisSystem(), SandboxSpec.NONE, "true"))
        .containsExactly("true");
  }

  @Test
  void a_sandbox_that_is_not_installed_is_refused_with_what_to_install() {
    SandboxLauncher bare = new SandboxLauncher(new SystemPrograms(List.of(folder)));
    assertThatIOException()
        .isThrownBy(() -> confined(bare, SANDBOX, "true"))
        .withMessageContaining("bwrap")
        .withMessageContaining("install bubblewrap");
  }

  @Test
  void a_sandbox_that_this_system_does_not_permit_is_refused_with_its_own_words() throws Exception {
    Path program =
        Files.writeString(
            folder.resolve("bwrap"),
            "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    SandboxLauncher forbidden = new SandboxLauncher(new SystemPrograms(List.of(folder)));
    assertThatIOException()
        .isThrownBy(() -> confined(forbidden, SANDBOX, "true"))
        .withMessageContaining("does not work on this system")
        .withMessageContaining("No permissions to create new namespace");
  }

  @Test
  void a_process_that_wants_more_memory_than_it_may_have_does_not_get_it() throws Exception {
    String wanting = "my $x = q(x) x (256 * 1024 * 1024); print q(got it)";
    assertThat(output(memory(1L << 30), "perl", "-e", wanting)).isEqualTo("got it");
    assertThat(output(memory(128L << 20), "perl", "-e", wanting)).doesNotContain("got it");
  }

  @Test
  void a_tree_runs_on_so_many_processors() throws Exception {
    SandboxSpec one = new SandboxSpec(new Sandbox.None(), Optional.empty(), Optional.of(1));
    assertThat(output(one, "sh", "-c", "sh -c nproc")).isEqualTo("1");
  }

  private static SandboxSpec memory(long bytes) {
    return new SandboxSpec(new Sandbox.None(), Optional.of(bytes), Optional.empty());
  }

  private String output(SandboxSpec confinement, String... command) throws Exception {
    Process process =
        new ProcessBuilder(confined(SandboxLauncher.ofThisSystem(), confinement, command))
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    process.waitFor();
    SandboxLauncher.clear(new AttemptFolder(folder));
    return output;
  }

  private List<String> confined(
      SandboxLauncher confiner, SandboxSpec confinement, String... command) throws Exception {
    return confiner.confined(
        confinement,
        new SandboxedProgram(
            new AttemptFolder(folder),
            ProcessMarker.fresh(),
            folder,
            folder,
            Map.of(),
            List.of(command)));
  }
}
