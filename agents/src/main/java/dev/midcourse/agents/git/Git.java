package dev.midcourse.agents.git;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.WireNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Calls the git program in one folder, with bounded time and output and without questions to the
 * user. Git runs nothing that an agent could have put there. It runs no hooks. It reads only the
 * settings of the repository itself, not those of a nested repository or of a repository that a
 * file names as the parent. Output that was cut is reported or refused, never treated as complete.
 */
final class Git {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  static final int MAX_BYTES = 4 * 1024 * 1024;
  private static final List<String> SAFELY =
      List.of(
          "git",
          "--no-pager",
          "--literal-pathspecs",
          "-c",
          "core.hooksPath=/dev/null",
          "-c",
          "core.fsmonitor=false",
          "-c",
          "core.quotePath=false",
          "-c",
          "submodule.recurse=false",
          "-c",
          "protocol.ext.allow=never");

  /**
   * Options that keep git from looking into nested repositories. A nested repository has its own
   * settings, which can name programs that git would run.
   */
  private static final Map<String, List<String>> LOOKING =
      Map.of(
          "status",
          List.of("--ignore-submodules=dirty"),
          "diff",
          List.of("--ignore-submodules=dirty", "--no-ext-diff", "--no-textconv"));

  private static final Map<String, String> QUIETLY =
      Map.of("GIT_TERMINAL_PROMPT", "0", "GIT_OPTIONAL_LOCKS", "0", "LC_ALL", "C");

  private final Path folder;
  private final Map<String, String> environment;

  Git(Path folder) {
    this(folder, Map.of());
  }

  private Git(Path folder, Map<String, String> environment) {
    this.folder = folder;
    this.environment = environment;
  }

  /** Returns the same git with another index file, so that the agent's index is not changed. */
  Git withIndex(Path index) {
    return new Git(folder, Map.of("GIT_INDEX_FILE", index.toString()));
  }

  /**
   * The result of a call.
   *
   * @param bytes the size of the output before it was cut after its last whole line
   */
  record Result(int status, String output, long bytes, String complaint) {
    boolean ok() {
      return status == 0;
    }

    boolean whole() {
      return bytes <= MAX_BYTES;
    }

    /** Returns the output without surrounding white space. */
    String line() {
      return output.strip();
    }

    List<String> lines() {
      return output.lines().toList();
    }
  }

  /** Calls git and returns its result, also after a failure. */
  Result call(String... arguments) {
    try {
      return run(arguments);
    } catch (IOException e) {
      throw new RefusedException(failed("git cannot be started: " + e.getMessage()), e);
    }
  }

  /** Calls git. Refuses a failure, and output that is larger than the limit. */
  Result must(String... arguments) {
    Result result = mostOf(arguments);
    if (!result.whole()) {
      throw failed(
              "the output of git " + arguments[0] + " is too large: " + result.bytes() + " bytes")
          .refused();
    }
    return result;
  }

  /** Calls git. Refuses a failure. The output may be cut at the limit. */
  Result mostOf(String... arguments) {
    Result result = call(arguments);
    if (!result.ok()) {
      String why = result.complaint().lines().findFirst().orElse("status " + result.status());
      throw failed("git " + arguments[0] + " failed: " + WireNames.shown(why)).refused();
    }
    return result;
  }

  private static Problem failed(String message) {
    return Problem.of(Code.UNAVAILABLE, "repo", "a repository that git can work in", message);
  }

  private Result run(String... arguments) throws IOException {
    Path output = Files.createTempFile("git", ".out");
    Path complaint = Files.createTempFile("git", ".err");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command(arguments))
              .directory(folder.toFile())
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(output.toFile())
              .redirectError(complaint.toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
      builder.environment().putAll(QUIETLY);
      builder.environment().putAll(environment);
      settings().ifPresent(at -> builder.environment().put("GIT_COMMON_DIR", at.toString()));
      int status = awaitEnd(builder.start());
      return new Result(status, text(output), Files.size(output), text(complaint));
    } finally {
      Files.deleteIfExists(output);
      Files.deleteIfExists(complaint);
    }
  }

  private static List<String> command(String... arguments) {
    List<String> command = new ArrayList<>(SAFELY);
    command.add(arguments[0]);
    command.addAll(LOOKING.getOrDefault(arguments[0], List.of()));
    command.addAll(List.of(arguments).subList(1, arguments.length));
    return command;
  }

  /**
   * Returns the folder of the repository's settings, which an agent that commits to the repository
   * cannot write. Without this folder, git would trust a file next to the settings that names
   * another place. A worktree needs such a file, so the result is empty for a worktree.
   */
  private Optional<Path> settings() {
    Path within = folder.resolve(".git");
    if (Files.isDirectory(within)) {
      return Optional.of(within.toAbsolutePath());
    }
    return Files.notExists(within) && Files.isRegularFile(folder.resolve("HEAD"))
        ? Optional.of(folder.toAbsolutePath())
        : Optional.empty();
  }

  private static String text(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      String most = new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
      return in.read() < 0 ? most : most.substring(0, most.lastIndexOf('\n') + 1);
    }
  }

  private static int awaitEnd(Process process) {
    try {
      if (process.waitFor(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        return process.exitValue();
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
    Stream.concat(process.descendants(), Stream.of(process.toHandle()))
        .forEach(ProcessHandle::destroyForcibly);
    return -1;
  }
}
