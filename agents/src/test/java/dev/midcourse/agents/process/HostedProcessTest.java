package dev.midcourse.agents.process;

import static dev.midcourse.agents.process.HostedPrograms.awaitOutput;
import static dev.midcourse.agents.process.HostedPrograms.errors;
import static dev.midcourse.agents.process.HostedPrograms.exitOf;
import static dev.midcourse.agents.process.HostedPrograms.output;
import static dev.midcourse.agents.process.HostedPrograms.path;
import static dev.midcourse.agents.process.HostedPrograms.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.Launch;
import dev.midcourse.agents.process.attempt.LaunchFailure;
import dev.midcourse.agents.process.attempt.OutputFile;
import dev.midcourse.agents.process.attempt.ProcessExit;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.agents.process.input.ProcessInput.InputWriteResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class HostedProcessTest {

  @RegisterExtension final HostedPrograms programs = new HostedPrograms();

  @Test
  void a_program_reads_its_input() throws Exception {
    HostedProcess program = programs.shell("while read -r a; do echo \"heard $a\"; done");
    assertThat(write(program, "one\n")).isEqualTo(new InputWriteResult.Written());
    assertThat(write(program, "two\n")).isEqualTo(new InputWriteResult.Written());
    awaitOutput(program, "heard one\nheard two\n");
    assertThat(program.exit()).isEmpty();
    assertThat(program.outlivesUs()).isTrue();
  }

  @Test
  void its_exit_status_is_reported() throws Exception {
    assertThat(exitOf(programs.shell("exit 7"))).isEqualTo(new ProcessExit.Status(7));
    assertThat(exitOf(programs.shell("exit 0"))).isEqualTo(new ProcessExit.Status(0));
  }

  @Test
  void a_death_by_signal_is_reported_as_shells_do_and_leaves_no_line_in_the_errors()
      throws Exception {
    for (var signal : Map.of("KILL", 137, "TERM", 143, "INT", 130, "HUP", 129).entrySet()) {
      HostedProcess program = programs.shell("kill -" + signal.getKey() + " $$; sleep 60");
      assertThat(exitOf(program)).isEqualTo(new ProcessExit.Status(signal.getValue()));
      assertThat(errors(program)).isEmpty();
    }
  }

  @Test
  void it_has_the_given_environment_and_the_mark_and_nothing_else() throws Exception {
    ProcessMarker mark = ProcessMarker.fresh();
    Map<String, String> given =
        Map.of("PATH", path(), "EMPTY", "", "STRANGE", "a 'b' \"c\" $d `e` \\ \u00e9\nnext line");
    Launch launch = new Launch(List.of("/usr/bin/env", "-0"), given, programs.root(), mark);
    HostedProcess program = programs.start(launch, programs.folder(mark));
    assertThat(exitOf(program)).isEqualTo(new ProcessExit.Status(0));
    assertThat(output(program).split("\0", -1))
        .containsExactlyInAnyOrder(
            "PATH=" + path(),
            "EMPTY=",
            "STRANGE=" + given.get("STRANGE"),
            ProcessMarker.VARIABLE + "=" + mark.token(),
            "");
  }

  @Test
  void its_arguments_and_its_directory_reach_it_unchanged() throws Exception {
    ProcessMarker mark = ProcessMarker.fresh();
    Path directory = Files.createDirectory(programs.root().resolve("a 'strange' $(name)"));
    List<String> command =
        List.of("/bin/sh", "-c", "pwd; printf '<%s>' \"$@\"", "x", "a b", "", "$HOME", "'", "\n-n");
    Launch launch = new Launch(command, Map.of("PATH", path()), directory, mark);
    HostedProcess program = programs.start(launch, programs.folder(mark));
    assertThat(exitOf(program)).isEqualTo(new ProcessExit.Status(0));
    assertThat(output(program)).isEqualTo(directory.toRealPath() + "\n<a b><><$HOME><'><\n-n>");
  }

  private HostedProcess startAsIs(String... command) throws Exception {
    ProcessMarker mark = ProcessMarker.fresh();
    Launch launch = new Launch(List.of(command), Map.of("PATH", path()), programs.root(), mark);
    return programs.start(launch, programs.folder(mark));
  }

  @Test
  void a_shell_builtin_of_the_same_name_is_not_taken_for_the_program() throws Exception {
    assertThat(exitOf(startAsIs("exit", "0"))).isEqualTo(new ProcessExit.Status(127));
  }

  @Test
  void a_program_that_does_not_exist_ends_with_127_and_a_reason() throws Exception {
    HostedProcess program = startAsIs("no-such-program");
    assertThat(exitOf(program)).isEqualTo(new ProcessExit.Status(127));
    assertThat(errors(program)).contains("no-such-program");
  }

  @Test
  void nothing_starts_in_a_directory_that_is_not_there() throws Exception {
    ProcessMarker mark = ProcessMarker.fresh();
    AttemptFolder folder = programs.folder(mark);
    Launch launch =
        new Launch(List.of("true"), Map.of("PATH", path()), Path.of("/no/such/place"), mark);
    assertThatThrownBy(() -> programs.start(launch, folder))
        .isInstanceOf(LaunchFailure.class)
        .hasMessageContaining("/no/such/place");
    assertThat(programs.host().find(folder, mark)).isEqualTo(new AttachResult.NeverStarted());
  }

  @Test
  void nothing_starts_in_a_folder_that_was_found_to_have_no_program() throws Exception {
    ProcessMarker mark = ProcessMarker.fresh();
    AttemptFolder folder = programs.folder(mark);
    assertThat(programs.host().find(folder, mark)).isEqualTo(new AttachResult.NeverStarted());
    assertThatThrownBy(() -> programs.start(programs.launch(mark, "sleep", "60"), folder))
        .isInstanceOf(LaunchFailure.class);
    assertThat(programs.host().find(folder, mark)).isEqualTo(new AttachResult.NeverStarted());
  }

  @Test
  void its_folder_is_for_this_user_only() throws Exception {
    AttemptFolder folder = programs.shell("true").folder();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.path())))
        .isEqualTo("rwx------");
  }

  @Test
  void a_folder_is_used_once() throws Exception {
    AttemptFolder folder = programs.shell("true").folder();
    assertThatThrownBy(() -> AttemptFolder.create(folder.path())).isInstanceOf(Exception.class);
  }

  @Test
  void a_link_in_the_folder_is_not_followed() throws Exception {
    HostedProcess program = programs.shell("sleep 60");
    Path elsewhere = Files.writeString(programs.root().resolve("elsewhere"), "0\n");
    Files.createSymbolicLink(program.folder().file(AttemptFolder.EXIT), elsewhere);
    assertThatThrownBy(() -> program.folder().exit()).isInstanceOf(Exception.class);
    Files.delete(program.folder().output(OutputFile.OUT));
    Files.createSymbolicLink(program.folder().output(OutputFile.OUT), elsewhere);
    assertThatThrownBy(() -> program.follow(OutputFile.OUT, 0, (chunk, after) -> {}))
        .isInstanceOf(Exception.class);
  }

  @Test
  void a_launch_that_a_shell_would_garble_is_refused() {
    ProcessMarker mark = ProcessMarker.fresh();
    Path here = programs.root();
    assertThatThrownBy(() -> new Launch(List.of(), Map.of(), here, mark))
        .hasMessageContaining("command");
    assertThatThrownBy(() -> new Launch(List.of("-x"), Map.of(), here, mark))
        .hasMessageContaining("command");
    assertThatThrownBy(() -> new Launch(List.of("a\0b"), Map.of(), here, mark))
        .hasMessageContaining("NUL");
    assertThatThrownBy(() -> new Launch(List.of("a"), Map.of("A.B", ""), here, mark))
        .hasMessageContaining("A.B");
    assertThatThrownBy(
            () -> new Launch(List.of("a"), Map.of(ProcessMarker.VARIABLE, "x"), here, mark))
        .hasMessageContaining("mark");
    assertThatThrownBy(() -> new ProcessMarker("short")).hasMessageContaining("mark");
    assertThatThrownBy(() -> new ProcessMarker("../../../../etc/passwd"))
        .hasMessageContaining("mark");
  }
}
