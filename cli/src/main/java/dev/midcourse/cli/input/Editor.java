package dev.midcourse.cli.input;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.screen.ShellContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Opens the user's editor for a text. */
public final class Editor {
  private static final String MARK = "#";

  private final ShellContext shell;

  public Editor(ShellContext shell) {
    this.shell = shell;
  }

  /** Returns the written text without the lines that begin with a hash sign. */
  public String write(String name, String before) throws IOException, InterruptedException {
    Path file = Files.createTempFile("midcourse-", ".md"); // readable by its owner only
    try {
      Files.writeString(
          file,
          before
              + "\n"
              + MARK
              + " Write the "
              + name
              + " above. Lines that start with # are ignored; an empty text cancels.\n");
      edit(file);
      return Files.readString(file)
          .lines()
          .filter(line -> !line.startsWith(MARK))
          .collect(Collectors.joining("\n"))
          .strip();
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private void edit(Path file) throws IOException, InterruptedException {
    String editor = shell.variable("VISUAL").or(() -> shell.variable("EDITOR")).orElse("vi");
    int code =
        new ProcessBuilder(List.of("/bin/sh", "-c", editor + " \"$1\"", "sh", file.toString()))
            .inheritIO()
            .start()
            .waitFor();
    if (code != 0) {
      throw Failure.of(
          ExitCode.FAILED,
          "the editor '" + editor + "' exited with status " + code,
          "set EDITOR to an installed editor, or give the text as an argument");
    }
  }
}
