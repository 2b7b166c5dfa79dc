package dev.midcourse.agents.process;

import static dev.midcourse.agents.process.HostedPrograms.TIMEOUT;
import static dev.midcourse.agents.process.HostedPrograms.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.Launch;
import dev.midcourse.agents.process.attempt.OutputFile;
import dev.midcourse.agents.process.attempt.ProcStat;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.agents.process.input.FifoInput;
import dev.midcourse.agents.process.os.Libc;
import dev.midcourse.agents.process.wrapper.WrapperScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A hub died just after it had started a wrapper, and the wrapper has not come far yet. */
final class FenceTest {
  private static final String STOP_FIRST = "kill -STOP $$; exec \"$@\"";

  @RegisterExtension final HostedPrograms programs = new HostedPrograms();

  private final PlatformSupport means = PlatformSupport.ofThisSystem();
  private final Libc libc = means.libc().orElseThrow();
  private final ProcessMarker mark = ProcessMarker.fresh();

  /** Seen to fail when the wrapper does not look for the fence, and when find puts none up. */
  @Test
  void a_wrapper_that_comes_late_to_its_fence_starts_nothing() throws Exception {
    AttemptFolder folder = programs.folder(mark);
    Path begun = programs.root().resolve("begun");
    Process wrapper = stopped(writing(begun), folder);

    CompletableFuture<AttachResult> found = CompletableFuture.supplyAsync(() -> find(folder));
    await(() -> assertThat(folder.file(AttemptFolder.FENCED)).exists());
    libc.kill(wrapper.pid(), Libc.SIGCONT);

    assertThat(found.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
        .isEqualTo(new AttachResult.NeverStarted());
    assertThat(wrapper.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(begun).doesNotExist();
  }

  /** Seen to fail when the wrapper always finds a fence. */
  @Test
  void a_wrapper_that_comes_late_and_finds_no_fence_starts_its_program() throws Exception {
    AttemptFolder folder = programs.folder(mark);
    Path begun = programs.root().resolve("begun");
    Process wrapper = stopped(writing(begun), folder);
    libc.kill(wrapper.pid(), Libc.SIGCONT);
    await(() -> assertThat(begun).exists());
    assertThat(find(folder)).isInstanceOf(AttachResult.Alive.class);
  }

  private Launch writing(Path begun) {
    return programs.launch(
        mark, "/bin/sh", "-c", ": >\"$1\"; exec sleep 60", "program", begun.toString());
  }

  /** A wrapper as a hub starts it, held before its first step. */
  private Process stopped(Launch launch, AttemptFolder folder) throws IOException {
    assertThat(FifoInput.make(libc, folder)).isTrue();
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", STOP_FIRST, "late"));
    command.addAll(means.wrapper().commandFor(launch, folder, true));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).directory(programs.root().toFile());
    builder.redirectOutput(folder.output(OutputFile.OUT).toFile());
    builder.environment().clear();
    builder.environment().putAll(WrapperScript.environmentFor(launch));
    Process wrapper = builder.start();
    Path stat = Path.of("/proc", Long.toString(wrapper.pid()), "stat");
    await(() -> assertThat(ProcStat.parse(Files.readString(stat)).state()).isEqualTo('T'));
    return wrapper;
  }

  private AttachResult find(AttemptFolder folder) {
    try {
      return programs.host().find(folder, mark);
    } catch (IOException | InterruptedException failure) {
      throw new CompletionException(failure);
    }
  }
}
