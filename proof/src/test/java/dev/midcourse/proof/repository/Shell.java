package dev.midcourse.proof.repository;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs one bash command at a time, with its own folder and environment. A command that takes too
 * long is ended with all its processes, and reported.
 */
public record Shell(Path folder, Map<String, String> environment) {
  private static final Duration TIMEOUT = Duration.ofMinutes(15);

  /** The output and the exit code of a command. */
  public record Result(int code, String out, String err) {
    public String all() {
      return "exit code " + code + "\n" + out + err;
    }
  }

  public Shell {
    environment = Map.copyOf(environment);
  }

  public static Shell in(Path folder) {
    return new Shell(folder, Map.of());
  }

  /** Returns a copy with its own home folder, and so with its own data folder. */
  public Shell home(Path home) {
    return with("HOME", home.toString());
  }

  public Shell with(String name, String value) {
    Map<String, String> more = new HashMap<>(environment);
    more.put(name, value);
    return new Shell(folder, more);
  }

  public Result run(String command) throws IOException, InterruptedException {
    Path out = Files.createTempFile("shell", ".out");
    Path err = Files.createTempFile("shell", ".err");
    try {
      ProcessBuilder builder = new ProcessBuilder("bash", "-c", command).directory(folder.toFile());
      builder.environment().remove("MIDCOURSE_HOME");
      builder.environment().putAll(environment);
      builder.redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
      Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      if (!process.waitFor(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
        return new Result(-1, Files.readString(out), Files.readString(err) + "\nstill running");
      }
      return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      Files.deleteIfExists(out);
      Files.deleteIfExists(err);
    }
  }
}
