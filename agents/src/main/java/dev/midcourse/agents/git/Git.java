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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Calls the git program on one git folder, with bounded time and output and without questions to
 * the user. Git reads no settings of the user or of the system, runs no hooks, filters or other
 * programs, follows no replace references and grafts, and connects to nothing. The git folder is
 * always named, so git never searches for one. Output that was cut is reported or refused, never
 * treated as complete.
 */
final class Git {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  static final int MAX_BYTES = 4 * 1024 * 1024;

  private static final int MAX_SETTING = 8_192;
  private static final Path NOTHING = Path.of("/dev/null");

  /** The largest output that git may write to disk before it is ended. */
  static final long MAX_OUTPUT_BYTES = 64L * 1024 * 1024;

  /** The largest index or pack that git may write. */
  static final long MAX_PACK_BYTES = 2L * 1024 * 1024 * 1024;

  /** The commands that write an index or a pack. Their output is small. */
  private static final Set<String> WRITING =
      Set.of("add", "fetch", "index-pack", "pack-objects", "read-tree", "update-index", "worktree");

  /** The unit of {@code ulimit -f} in a POSIX shell. */
  private static final int BLOCK_BYTES = 512;

  /** The status of a program that the signal XFSZ has ended: its file became too large. */
  private static final int FILE_TOO_LARGE = 128 + 25;

  private static final List<String> SAFE_OPTIONS =
      List.of(
          "git",
          "--no-pager",
          "--no-replace-objects",
          "--literal-pathspecs",
          "-c",
          "core.hooksPath=/dev/null",
          "-c",
          "core.fsmonitor=false",
          "-c",
          "core.untrackedCache=false",
          "-c",
          "core.splitIndex=false",
          "-c",
          "core.sparseCheckout=false",
          "-c",
          "core.commitGraph=false",
          "-c",
          "core.multiPackIndex=false",
          "-c",
          "core.attributesFile=/dev/null",
          "-c",
          "core.quotePath=false",
          "-c",
          "submodule.recurse=false",
          "-c",
          "diff.submodule=short",
          "-c",
          "gc.auto=0",
          "-c",
          "maintenance.auto=false",
          "-c",
          "protocol.allow=never");

  /**
   * Options that keep git from looking into nested repositories and from running programs that show
   * differences. A nested repository has its own settings, which can name programs that git would
   * run.
   */
  private static final Map<String, List<String>> DIFF_OPTIONS =
      Map.of("diff", List.of("--submodule=short", "--no-ext-diff", "--no-textconv", "--no-color"));

  private static final Map<String, String> ISOLATED_ENVIRONMENT =
      Map.ofEntries(
          Map.entry("GIT_TERMINAL_PROMPT", "0"),
          Map.entry("GIT_OPTIONAL_LOCKS", "0"),
          Map.entry("GIT_CONFIG_NOSYSTEM", "1"),
          Map.entry("GIT_CONFIG_SYSTEM", "/dev/null"),
          Map.entry("GIT_CONFIG_GLOBAL", "/dev/null"),
          Map.entry("GIT_ATTR_NOSYSTEM", "1"),
          Map.entry("GIT_NO_REPLACE_OBJECTS", "1"),
          Map.entry("GIT_GRAFT_FILE", "/dev/null/none"),
          Map.entry("GIT_NO_LAZY_FETCH", "1"),
          Map.entry("GIT_ALLOW_PROTOCOL", ""),
          Map.entry("GIT_EDITOR", "false"),
          Map.entry("GIT_ASKPASS", "false"),
          Map.entry("GIT_SSH_COMMAND", "false"),
          Map.entry("GIT_AUTHOR_NAME", "Midcourse"),
          Map.entry("GIT_AUTHOR_EMAIL", "midcourse@localhost"),
          Map.entry("GIT_COMMITTER_NAME", "Midcourse"),
          Map.entry("GIT_COMMITTER_EMAIL", "midcourse@localhost"),
          Map.entry("LC_ALL", "C"));

  private final Path folder;
  private final Map<String, String> environment;

  private Git(Path folder, Map<String, String> environment) {
    this.folder = folder;
    this.environment = Map.copyOf(environment);
  }

  /** Returns a git for the references and worktrees of a repository. */
  static Git of(GitDirectory repository) {
    return new Git(
        repository.common(),
        Map.of(
            "GIT_DIR", repository.own().toString(),
            "GIT_COMMON_DIR", repository.common().toString()));
  }

  /** Returns a git for a folder that has the form of a git folder and no work tree. */
  static Git bare(Path gitFolder) {
    return new Git(
        gitFolder, Map.of("GIT_DIR", gitFolder.toString(), "GIT_COMMON_DIR", gitFolder.toString()));
  }

  /** Returns the same git with a work tree and with an index file that no agent has written. */
  Git at(Path workTree, Path index) {
    Map<String, String> more = new HashMap<>(environment);
    more.put("GIT_WORK_TREE", workTree.toString());
    more.put("GIT_INDEX_FILE", index.toString());
    return new Git(workTree, more);
  }

  /** Returns the same git with more variables in its environment. */
  Git with(Map<String, String> variables) {
    Map<String, String> more = new HashMap<>(environment);
    more.putAll(variables);
    return new Git(folder, more);
  }

  /**
   * The result of a call.
   *
   * @param bytes the size of the output before it was cut after its last whole line; at least this
   *     size if git was ended because of it
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

    /** Returns the parts of output that separates them with NUL. */
    List<String> names() {
      return Stream.of(output.split("\0")).filter(name -> !name.isEmpty()).toList();
    }
  }

  /** Calls git and returns its result, also after a failure. */
  Result call(String... arguments) {
    try (Running running = begin(arguments)) {
      return running.result();
    }
  }

  /** Starts git and returns at once, so that several calls run at the same time. */
  Running begin(String... arguments) {
    return Running.start(process(arguments), NOTHING);
  }

  /** A git that runs beside its caller. Close waits for its end. */
  static final class Running implements AutoCloseable {
    private final Process process;
    private final Path output;
    private final Path complaint;

    private Running(Process process, Path output, Path complaint) {
      this.process = process;
      this.output = output;
      this.complaint = complaint;
    }

    private static Running start(ProcessBuilder git, Path input) {
      try {
        Path output = Files.createTempFile("git", ".out");
        Path complaint = Files.createTempFile("git", ".err");
        try {
          Process process =
              git.redirectInput(ProcessBuilder.Redirect.from(input.toFile()))
                  .redirectOutput(output.toFile())
                  .redirectError(complaint.toFile())
                  .start();
          return new Running(process, output, complaint);
        } catch (IOException notStarted) {
          Files.deleteIfExists(output);
          Files.deleteIfExists(complaint);
          throw notStarted;
        }
      } catch (IOException e) {
        throw new RefusedException(failed("git cannot be started: " + e.getMessage()), e);
      }
    }

    /** Waits for the end and returns the result, also after a failure. */
    Result result() {
      try {
        int status = awaitEnd(process);
        return new Result(status, text(output), Files.size(output), text(complaint));
      } catch (IOException e) {
        throw new RefusedException(
            failed("the output of git cannot be read: " + e.getMessage()), e);
      }
    }

    @Override
    public void close() {
      try {
        int _ = awaitEnd(process);
        Files.deleteIfExists(output);
        Files.deleteIfExists(complaint);
      } catch (IOException e) {
        throw new RefusedException(
            failed("the output of git cannot be deleted: " + e.getMessage()), e);
      }
    }
  }

  /** Calls git. Refuses a failure, and output that is larger than the limit. */
  Result must(String... arguments) {
    return whole(arguments[0], call(arguments));
  }

  /** Calls git with a file as its input. Refuses a failure and too large an output. */
  Result mustRead(Path input, String... arguments) {
    try (Running running = Running.start(process(arguments), input)) {
      return whole(arguments[0], running.result());
    }
  }

  /** Returns a result without failure and within the limit. Refuses any other. */
  static Result whole(String command, Result result) {
    Result most = most(command, result);
    if (!most.whole()) {
      throw failed("the output of git " + command + " is too large: " + most.bytes() + " bytes")
          .refused();
    }
    return most;
  }

  /** Calls git. Refuses a failure. The output may be cut at the limit. */
  Result mostOf(String... arguments) {
    return most(arguments[0], call(arguments));
  }

  private static Result most(String command, Result result) {
    boolean cut = result.status() == FILE_TOO_LARGE && !result.whole();
    if (!result.ok() && !cut) {
      throw failed("git " + command + " failed: " + reason(result)).refused();
    }
    return result;
  }

  static String reason(Result result) {
    return WireNames.shown(
        result.status() == FILE_TOO_LARGE
            ? "it wrote a file that is too large"
            : result.complaint().lines().findFirst().orElse("status " + result.status()));
  }

  static Problem failed(String message) {
    return Problem.of(Code.UNAVAILABLE, "repo", "a repository that git can work in", message);
  }

  /** Lists the settings of one file, separated by NUL, without the files that it includes. */
  static Result settingsOf(Path file) {
    return new Git(Path.of("/"), Map.of())
        .call("config", "--file", file.toString(), "--no-includes", "--null", "--list");
  }

  /** Removes a setting from one file. */
  static void removeSetting(Path file, String name) {
    new Git(Path.of("/"), Map.of()).must("config", "--file", file.toString(), "--unset-all", name);
  }

  /** Begins to read a path in the user's own git settings, which the calls here do not use. */
  static Running askUser(String name) {
    return Running.start(
        new ProcessBuilder("git", "config", "--global", "--type=path", "--get", name)
            .directory(Path.of("/").toFile()),
        NOTHING);
  }

  /** Returns what {@link #askUser} has read. */
  static Optional<String> userSetting(Running asked) {
    Result result = asked.result();
    boolean usable = result.ok() && !result.line().isEmpty() && result.bytes() <= MAX_SETTING;
    return usable ? Optional.of(result.line()) : Optional.empty();
  }

  /** Returns a process of git that is not started yet, with the same safety and no redirection. */
  ProcessBuilder process(String... arguments) {
    ProcessBuilder builder = new ProcessBuilder(command(arguments)).directory(folder.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    builder.environment().putAll(ISOLATED_ENVIRONMENT);
    builder.environment().putAll(environment);
    return builder;
  }

  private static List<String> command(String... arguments) {
    long most = WRITING.contains(arguments[0]) ? MAX_PACK_BYTES : MAX_OUTPUT_BYTES;
    String limit = "ulimit -f " + most / BLOCK_BYTES + "; exec \"$@\"";
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", limit, "sh"));
    command.addAll(SAFE_OPTIONS);
    command.add(arguments[0]);
    command.addAll(DIFF_OPTIONS.getOrDefault(arguments[0], List.of()));
    command.addAll(List.of(arguments).subList(1, arguments.length));
    return command;
  }

  static String text(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      String most = new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
      return in.read() < 0 ? most : most.substring(0, most.lastIndexOf('\n') + 1);
    }
  }

  /** Returns the exit status, or -1 if the process had to be ended after the time limit. */
  static int awaitEnd(Process process) {
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
