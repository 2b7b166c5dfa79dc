package dev.midcourse.agents.process.tree;

import static dev.midcourse.agents.process.HostedPrograms.awaitOutput;
import static dev.midcourse.agents.process.HostedPrograms.exitOf;
import static dev.midcourse.agents.process.HostedPrograms.kill;
import static dev.midcourse.agents.process.HostedPrograms.output;
import static dev.midcourse.agents.process.HostedPrograms.wrapperPid;
import static dev.midcourse.agents.process.HostedPrograms.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.process.AttachResult;
import dev.midcourse.agents.process.HostedProcess;
import dev.midcourse.agents.process.HostedPrograms;
import dev.midcourse.agents.process.PlatformSupport;
import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.ProcessExit;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.agents.process.input.ProcessInput.InputWriteResult;
import dev.midcourse.agents.process.os.Libc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class ExitNoticeTest {

  /** So seldom that only events can tell. */
  private static final Duration NEVER = Duration.ofHours(1);

  @RegisterExtension final HostedPrograms programs = new HostedPrograms();

  @RegisterExtension
  final HostedPrograms withoutNet =
      new HostedPrograms(PlatformSupport.ofThisSystem().withNet(NEVER));

  @RegisterExtension
  final HostedPrograms withoutInotify =
      new HostedPrograms(PlatformSupport.ofThisSystem().withoutInotify().withNet(NEVER));

  @Test
  void an_exit_is_noticed_by_its_file_alone() throws Exception {
    HostedProcess program = withoutNet.shell("read -r a; exit 3");
    assertThat(program.exit()).isEmpty();
    write(program, "go\n");
    assertThat(exitOf(program)).isEqualTo(new ProcessExit.Status(3));
  }

  @Test
  void an_exit_is_noticed_without_inotify() throws Exception {
    HostedProcess program = withoutInotify.shell("read -r a; exit 3");
    assertThat(program.exit()).isEmpty();
    write(program, "go\n");
    assertThat(exitOf(program)).isEqualTo(new ProcessExit.Status(3));
  }

  @Test
  void a_program_whose_wrapper_was_killed_is_alive_and_its_output_is_read() throws Exception {
    HostedProcess program = programs.shell("while read -r a; do echo \"heard $a\"; done");
    kill(wrapperPid(program));
    HostedPrograms.await(() -> assertThat(program.tree().wrapper()).isEmpty());
    assertThat(programs.host().find(program.folder(), program.mark()))
        .isInstanceOf(AttachResult.Alive.class);
    assertThat(write(program, "still\n")).isEqualTo(new InputWriteResult.Written());
    awaitOutput(program, "heard still");
    assertThat(program.exit()).isEmpty();
  }

  @Test
  void a_wrapper_that_gets_term_stays_for_the_programs_status() throws Exception {
    HostedProcess program = programs.shell("read -r a; exit 6");
    Libc libc = Libc.load().orElseThrow();
    libc.kill(wrapperPid(program), Libc.SIGTERM);
    assertThat(write(program, "go\n")).isEqualTo(new InputWriteResult.Written());
    assertThat(exitOf(program)).isEqualTo(new ProcessExit.Status(6));
  }

  @Test
  void a_program_that_was_killed_together_with_its_wrapper_has_vanished() throws Exception {
    HostedProcess program = programs.shell("echo $$; read -r a");
    awaitOutput(program, "\n");
    kill(wrapperPid(program));
    kill(Long.parseLong(output(program).strip()));
    assertThat(exitOf(program)).isEqualTo(new ProcessExit.Vanished());
    assertThat(programs.host().find(program.folder(), program.mark()))
        .isInstanceOfSatisfying(
            AttachResult.Over.class,
            over -> assertThat(over.exit()).isEqualTo(new ProcessExit.Vanished()));
  }

  @Test
  void an_exit_file_that_is_not_whole_yet_says_nothing() throws Exception {
    AttemptFolder folder = programs.folder(ProcessMarker.fresh());
    Path file = folder.file(AttemptFolder.EXIT);
    assertThat(folder.exit()).isEmpty();
    Files.writeString(file, "");
    assertThat(folder.exit()).isEmpty();
    Files.writeString(file, "13");
    assertThat(folder.exit()).isEmpty();
    Files.writeString(file, "137\n");
    assertThat(folder.exit()).contains(new ProcessExit.Status(137));
    Files.writeString(file, "nonsense\n");
    assertThat(folder.exit()).contains(new ProcessExit.Vanished());
  }
}
