package dev.midcourse.autopilot.forge;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The git program as people use it, without the settings of this machine.
 *
 * @param folder where it works
 * @param name author and committer
 */
public record GitCommands(Path folder, String name, String email) {

  /** Calls git, demands success and returns its output without white space around it. */
  public String run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git", "-c", "init.defaultBranch=main"));
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile("git", ".out");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile());
      builder.environment().keySet().removeIf(it -> it.startsWith("GIT_"));
      builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
      builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
      builder.environment().put("GIT_TERMINAL_PROMPT", "0");
      builder.environment().put("GIT_AUTHOR_NAME", name);
      builder.environment().put("GIT_AUTHOR_EMAIL", email);
      builder.environment().put("GIT_COMMITTER_NAME", name);
      builder.environment().put("GIT_COMMITTER_EMAIL", email);
      Process process = builder.start();
      if (!process.waitFor(2, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new IOException("git does not end: " + command);
      }
      String text = Files.readString(output, UTF_8).strip();
      if (process.exitValue() != 0) {
        throw new IOException(command + " failed: " + text);
      }
      return text;
    } finally {
      Files.deleteIfExists(output);
    }
  }

  /** Writes a file and commits it. Returns the commit. */
  public String commit(String file, String text, String message)
      throws IOException, InterruptedException {
    Files.writeString(folder.resolve(file), text);
    run("add", file);
    run("commit", "--quiet", "-m", message);
    return run("rev-parse", "HEAD");
  }
}
