package dev.midcourse.hub.settings.channel;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Reads secrets from files that only their owner can read, and from the output of commands. No
 * error contains a part of a secret.
 *
 * @param data the folder to which the names of files are relative
 */
public record SecretSources(Path data) {
  private static final int COMMAND_TIMEOUT_SECONDS = 20;
  private static final int MAX_BYTES = 64 * 1024;
  private static final Set<PosixFilePermission> OF_OTHERS =
      Set.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  public ChannelSecret ofFile(String name) {
    return secret(textOf(name), data.resolve(name).toString());
  }

  /** A secret of several lines, such as a private key. */
  public String ofText(String name) {
    return textOf(name);
  }

  private String textOf(String name) {
    Path file = data.resolve(name);
    if (!Files.isRegularFile(file)) {
      throw refused("there is no file " + file + "; name a file that has the secret");
    }
    try {
      if (Files.getPosixFilePermissions(file).stream().anyMatch(OF_OTHERS::contains)) {
        throw refused(
            "other users can read or write " + file + "; close it: chmod 600 '" + file + "'");
      }
      if (Files.size(file) > MAX_BYTES) {
        throw refused(file + " is too large for a secret");
      }
      return Files.readString(file);
    } catch (IOException e) {
      throw new RefusedException(problem(file + " cannot be read: " + e), e);
    }
  }

  /** Runs the command with the shell; its standard output is the secret. */
  public ChannelSecret ofCommand(String command) {
    try {
      Path output = Files.createTempFile(data, "secret", ".tmp");
      try {
        int status = run(command, output);
        if (status != 0) {
          throw refused("the command ended with status " + status + "; try it in a shell");
        }
        if (Files.size(output) > MAX_BYTES) {
          throw refused("the command printed too much for a secret");
        }
        return secret(Files.readString(output, UTF_8), "the output of the command");
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException e) {
      throw new RefusedException(problem("the command cannot be run: " + e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RefusedException(problem("the hub was closed while the command ran"), e);
    }
  }

  /** Returns the exit status. Leaves no process of the command behind that it still knows. */
  private static int run(String command, Path output) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("/bin/sh", "-c", command)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (!process.waitFor(COMMAND_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        throw refused("the command did not end within " + COMMAND_TIMEOUT_SECONDS + " s");
      }
      return process.exitValue();
    } finally {
      if (process.isAlive()) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    }
  }

  private static ChannelSecret secret(String text, String where) {
    String stripped = text.strip();
    if (stripped.isEmpty() || stripped.codePoints().anyMatch(Character::isISOControl)) {
      throw refused(where + " must have one line with the secret");
    }
    return new ChannelSecret(stripped);
  }

  private static RefusedException refused(String message) {
    return problem(message).refused();
  }

  private static Problem problem(String message) {
    return Problem.invalid("secret", "a secret that only its owner can read", message);
  }
}
