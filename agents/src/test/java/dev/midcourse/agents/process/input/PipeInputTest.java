package dev.midcourse.agents.process.input;

import static dev.midcourse.agents.process.HostedPrograms.SOON;
import static dev.midcourse.agents.process.HostedPrograms.TIMEOUT;
import static dev.midcourse.agents.process.HostedPrograms.awaitOutput;
import static dev.midcourse.agents.process.HostedPrograms.exitOf;
import static dev.midcourse.agents.process.HostedPrograms.output;
import static dev.midcourse.agents.process.HostedPrograms.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.process.AttachResult;
import dev.midcourse.agents.process.HostedProcess;
import dev.midcourse.agents.process.HostedPrograms;
import dev.midcourse.agents.process.PlatformSupport;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.ProcessExit;
import dev.midcourse.agents.process.input.ProcessInput.InputWriteResult;
import java.nio.file.Files;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class PipeInputTest {

  @RegisterExtension
  final HostedPrograms programs = new HostedPrograms(PlatformSupport.ofThisSystem().withoutFifo());

  private static byte[] line(char message, int length) {
    byte[] line = new byte[length + 1];
    Arrays.fill(line, (byte) message);
    line[length] = '\n';
    return line;
  }

  @Test
  void a_program_reads_its_input_and_its_exit_is_reported() throws Exception {
    HostedProcess program = programs.shell("read -r a; echo \"heard $a\"; exit 4");
    assertThat(program.folder().file(AttemptFolder.IN)).doesNotExist();
    assertThat(program.outlivesUs()).isFalse();
    assertThat(write(program, "hello\n")).isEqualTo(new InputWriteResult.Written());
    assertThat(exitOf(program)).isEqualTo(new ProcessExit.Status(4));
    assertThat(output(program)).isEqualTo("heard hello\n");
    assertThat(write(program, "more\n")).isEqualTo(new InputWriteResult.Gone());
  }

  @Test
  void a_frame_that_the_program_does_not_read_is_torn_and_the_next_finds_no_room()
      throws Exception {
    HostedProcess program =
        programs.perl(
            """
            until (-e "go") { select(undef, undef, undef, 0.002) }
            $| = 1; while (<STDIN>) { chomp; print length($_), "\\n" }
            """);
    assertThat(program.write(line('a', 600_000), SOON)).isInstanceOf(InputWriteResult.Torn.class);
    assertThat(program.write(line('b', 10), SOON)).isEqualTo(new InputWriteResult.Full());
    Files.createFile(programs.root().resolve("go"));
    assertThat(program.write(line('c', 20), TIMEOUT)).isEqualTo(new InputWriteResult.Written());
    awaitOutput(program, "\n20\n");
    assertThat(output(program)).isEqualTo("600000\n20\n");
  }

  @Test
  void no_other_program_can_write_to_it() throws Exception {
    HostedProcess program = programs.shell("read -r a; echo \"heard $a\"");
    try (ProcessHost nextHub = ProcessHost.open()) {
      AttachResult found = nextHub.find(program.folder(), program.mark());
      assertThat(found).isInstanceOf(AttachResult.Alive.class);
      HostedProcess again = ((AttachResult.Alive) found).program();
      assertThat(write(again, "hello\n")).isEqualTo(new InputWriteResult.Gone());
      again.close();
    }
  }
}
