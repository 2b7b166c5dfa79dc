package dev.midcourse.proof.agents;

import dev.midcourse.proof.Processes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/**
 * A shell command for an agent's tool. It reports its start and runs until the test releases it, so
 * that a test can act during a tool call without sleeping. It is not a {@code sleep}, because
 * Claude Code refuses a long one.
 */
public final class HeldCommand {
  private final Path started;
  private final Path release;

  /**
   * @param folder a folder that the agent can reach
   * @param name tells the held commands of one folder apart
   */
  public HeldCommand(Path folder, String name) {
    this.started = folder.resolve(name + ".started");
    this.release = folder.resolve(name + ".release");
  }

  /** Returns the command. It prints {@code released} after the release. */
  public String command() {
    return "echo $$ > '%1$s.tmp' && mv '%1$s.tmp' '%1$s'; until [ -e '%2$s' ]; do sleep 0.05; done; echo released"
        .formatted(started, release);
  }

  /** Waits until the agent runs the command. */
  public void awaitStarted(Duration atMost) throws InterruptedException {
    var end = Instant.now().plus(atMost);
    while (!Files.exists(started)) {
      if (Instant.now().isAfter(end)) {
        throw new IllegalStateException("the held command did not begin within " + atMost);
      }
      Thread.sleep(10);
    }
  }

  /** Returns whether the process of the command is alive. */
  public boolean isAlive() {
    try {
      return Processes.isAlive(Long.parseLong(Files.readString(started).strip()));
    } catch (IOException failure) {
      throw new UncheckedIOException("the held command has not begun", failure);
    }
  }

  /** Releases the command, which then ends. */
  public void release() throws IOException {
    Files.createFile(release);
  }
}
