package dev.midcourse.proof.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** A real terminal for input and output: its own tmux server with one window. */
final class Pane implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(4);

  private final Path folder;

  private Pane(Path folder) {
    this.folder = folder;
  }

  static boolean possible() {
    return List.of(System.getenv().getOrDefault("PATH", "").split(":", -1)).stream()
        .anyMatch(place -> Files.isExecutable(Path.of(place, "tmux")));
  }

  /** Runs a script in a window of this size. */
  static Pane open(Path folder, int columns, int rows, String script)
      throws IOException, InterruptedException {
    Pane pane = new Pane(folder);
    Path file = Files.writeString(folder.resolve("script"), script);
    pane.tmux(
        "new-session",
        "-d",
        "-x",
        Integer.toString(columns),
        "-y",
        Integer.toString(rows),
        "bash " + file);
    return pane;
  }

  /** Keys by their names: j, Enter, Escape. */
  void press(String... keys) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("send-keys"));
    words.addAll(List.of(keys));
    tmux(words.toArray(String[]::new));
  }

  void type(String text) throws IOException, InterruptedException {
    tmux("send-keys", "-l", text);
  }

  /** Pastes a text as a terminal does: in brackets, if the program asked for them. */
  void paste(String text) throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("pasted"), text);
    tmux("load-buffer", file.toString());
    tmux("paste-buffer", "-p", "-r");
  }

  void resize(int columns, int rows) throws IOException, InterruptedException {
    tmux("resize-window", "-x", Integer.toString(columns), "-y", Integer.toString(rows));
  }

  /** What is on the screen now. */
  String screen() throws IOException, InterruptedException {
    return tmux("capture-pane", "-p");
  }

  /** What is on the screen and what has scrolled out of it. */
  String all() throws IOException, InterruptedException {
    return tmux("capture-pane", "-p", "-S", "-");
  }

  /** Waits until it shows this; what it shows instead is in the message. */
  String awaits(String text) throws IOException, InterruptedException {
    String[] last = {""};
    try {
      Awaitility.await()
          .atMost(TIMEOUT)
          .until(() -> {
            last[0] = screen();
            return last[0].contains(text);
          });
    } catch (ConditionTimeoutException e) {
      assertThat(last[0]).contains(text);
    }
    return last[0];
  }

  private String tmux(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("tmux", "-u", "-f", "/dev/null", "-L", "pane"));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("TMUX");
    builder.environment().remove("NO_COLOR");
    builder.environment().put("TMUX_TMPDIR", folder.toString());
    builder.environment().put("LC_ALL", "C.UTF-8");
    Process process = builder.start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return out;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    tmux("kill-server");
  }
}
