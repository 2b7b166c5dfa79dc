package dev.midcourse.proof.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.proof.Processes;
import dev.midcourse.proof.repository.Clone;
import dev.midcourse.proof.repository.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The environment of a user: a home folder with settings, a working folder and terminals, with the
 * program of this clone. Closing it stops every run, then the hub, then the terminals.
 */
final class TerminalFixture implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  private final Path home;
  private final Path workspace;
  private final Shell shell;
  private final List<Pane> panes = new ArrayList<>();

  private TerminalFixture(Path home, Path workspace) {
    this.home = home;
    this.workspace = workspace;
    this.shell = Shell.in(workspace).home(home).with("PATH", path());
  }

  /**
   * @param home a folder with a short name: sockets are in it
   * @param settings what {@code midcourse.toml} says besides that the hub takes any port
   */
  static TerminalFixture open(Path home, Path workspace, String settings)
      throws IOException, InterruptedException {
    Path data = Files.createDirectories(home.resolve(".midcourse"));
    Files.writeString(data.resolve("midcourse.toml"), "[hub]\nport = 0\n\n" + settings);
    TerminalFixture terminal = new TerminalFixture(home, Files.createDirectories(workspace));
    terminal.type("midcourse --version"); // builds it, if that has to be
    return terminal;
  }

  private static String path() {
    return Clone.ROOT + ":" + System.getenv("PATH");
  }

  /** What a command prints into a pipe; one that fails is a failure of the test. */
  String type(String command) throws IOException, InterruptedException {
    Shell.Result result = shell.run(command);
    assertThat(result.code()).as(command + "\n" + result.all()).isZero();
    return result.out();
  }

  /** Runs a command in a pipe; it may fail. */
  Shell.Result run(String command) throws IOException, InterruptedException {
    return shell.run(command);
  }

  JsonNode json(String command) throws IOException, InterruptedException {
    return JSON.readTree(type(command));
  }

  /** Types a command in a terminal of its own; afterwards it says {@code left with} its code. */
  Pane terminal(int columns, int rows, String command) throws IOException, InterruptedException {
    Path folder = Files.createDirectories(home.resolve("pane-" + panes.size()));
    String script =
        """
        unset MIDCOURSE_HOME NO_COLOR VISUAL
        export HOME='%s' PATH='%s' TERM=screen-256color
        cd '%s'
        echo what was there before
        %s
        echo "left with $?"
        stty -a | grep -o -w -e '-*icanon' -e '-*echo'
        exec sleep 1000
        """
            .formatted(home, path(), workspace, command);
    Pane pane = Pane.open(folder, columns, rows, script);
    panes.add(pane);
    return pane;
  }

  /** Starts a run of the rehearsal agent that stays at work. */
  void rehearse(String run, String prompt) throws IOException, InterruptedException {
    type(
        "midcourse run --detach --agent rehearsal --worker %1$s --id %1$s '%2$s'"
            .formatted(run, prompt));
    type("until midcourse logs %s | grep -q 'turn 1'; do sleep 0.1; done".formatted(run));
  }

  /** Kills the hub with SIGKILL; its agents keep running. */
  void killHub() throws IOException, InterruptedException {
    long pid = json("midcourse status --json").path("pid").asLong();
    Processes.kill(List.of(ProcessHandle.of(pid).orElseThrow()));
  }

  @Override
  public void close() throws IOException, InterruptedException {
    try {
      shell.run(
          "midcourse status || midcourse run --detach --agent rehearsal 'Find what is left.'");
      shell.run("runs=$(midcourse ps -q); [ -z \"$runs\" ] || midcourse stop $runs");
      shell.run("midcourse shutdown");
    } finally {
      for (Pane pane : panes) {
        pane.close();
      }
    }
  }
}
