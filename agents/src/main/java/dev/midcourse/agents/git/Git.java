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
 * Calls the git program in one folder: bounded in time and output, asking nobody anything, and
 * running nothing that an agent could have put there: no hook, and no settings but those of the
 * repository itself, neither of one that is nested in it nor of one that it is said to belong to.
 * What was cut off is told or refused, never taken for all there is.
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
   * A nested repository has settings of its own, which name programs: the one who looks into it
   * runs them.
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

  /** The same with an index of ours, which leaves the agent's alone. */
  Git withIndex(Path index) {
    return new Git(folder, Map.of("GIT_INDEX_FILE", index.toString()));
  }

  /**
   * What a call came to.
   *
   * @param bytes how much the output was before it was cut after its last whole line
   */
  record Result(int status, String output, long bytes, String complaint) {
    boolean ok() {
      return status == 0;
    }

    boolean whole() {
      return bytes <= MAX_BYTES;
    }

    /** The output without its last line break. */
    String line() {
      return output.strip();
    }

    List<String> lines() {
      return output.lines().toList();
    }
  }

  /** Calls git and says what came of it. */
  Result call(String... arguments) {
    try {
      return run(arguments);
    } catch (IOException e) {
      throw new RefusedException(failed("git cannot be started: " + e.getMessage()), e);
    }
  }

  /** Calls git; anything but success, and more than is kept, is refused. */
  Result must(String... arguments) {
    Result result = mostOf(arguments);
    if (!result.whole()) {
      throw failed(
              "the output of git " + arguments[0] + " is too large: " + result.bytes() + " bytes")
          .refused();
    }
    return result;
  }

  /** Calls git, and may give only the beginning of its output; anything but success is refused. */
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
   * Where the settings of a repository are, which an agent that commits to it cannot write. Left to
   * itself, git would believe a file next to them that names another place. A worktree has such a
   * file by right.
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
