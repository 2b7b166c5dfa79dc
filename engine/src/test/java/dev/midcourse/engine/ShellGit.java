package dev.midcourse.engine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The git program as a worker uses it. */
public record ShellGit(Path folder) {

  /** A repository with one commit on main. */
  public static ShellGit clone(Path folder) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    ShellGit git = new ShellGit(folder);
    git.call("init", "--quiet", "--initial-branch=main");
    git.commit("README", "hello");
    return git;
  }

  /** Writes a file and commits it; gives the commit. */
  public String commit(String file, String text) throws IOException, InterruptedException {
    Files.writeString(folder.resolve(file), text);
    call("add", "-A");
    call("commit", "--quiet", "-m", file);
    return call("rev-parse", "HEAD");
  }

  public String call(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of("git", "-c", "user.name=Worker", "-c", "user.email=worker@example.org"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IllegalStateException(String.join(" ", command) + ": " + output);
    }
    return output;
  }
}
