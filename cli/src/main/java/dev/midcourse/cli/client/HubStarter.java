package dev.midcourse.cli.client;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.Spinner;
import dev.midcourse.cli.screen.TextSanitizer;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the hub of a data folder, or starts one that ends when it is idle. The started hub has its
 * own session, so that neither Ctrl-C nor a closed terminal ends it.
 */
public final class HubStarter {
  /** Time after which an idle hub ends. */
  public static final String IDLE = "10m";

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration OTHER_HUB_TIMEOUT = Duration.ofSeconds(3);
  private static final long PAUSE_MILLIS = 20;
  private static final int LINES_OF_LOG = 10;

  private final ShellContext shell;
  private final HubClient hub;

  public HubStarter(ShellContext shell) {
    this.shell = shell;
    this.hub = HubClient.of(shell);
  }

  /**
   * Returns a client that starts a hub when its request finds none. An idle hub ends by itself, so
   * every request may be the first one after it.
   */
  public HubClient client() {
    return hub.startedBy(() -> {
      try {
        var _ = ensure();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw Failure.of(ExitCode.INTERRUPTED, "interrupted while the hub was starting", "");
      }
    });
  }

  /** Returns a client of a hub that answers; starts a hub if none is running. */
  public synchronized HubClient ensure() throws InterruptedException {
    if (hub.health().isPresent()) {
      return hub;
    }
    try (Spinner spinner = Spinner.on(shell.notes(), shell.clock(), "Starting the hub")) {
      Path log = shell.data().resolve(HubClient.LOG);
      long before = Files.exists(log) ? log.toFile().length() : 0;
      await(start(log), log, before);
    }
    return hub;
  }

  private Process start(Path log) {
    Path launcher =
        shell
            .launcher()
            .orElseThrow(() ->
                Failure.of(ExitCode.NO_HUB, "no hub is running", "start one: midcourse serve"));
    List<String> command = new ArrayList<>(detached());
    command.addAll(List.of(launcher.toString(), "serve", "--until-idle", IDLE));
    try {
      Files.createDirectories(shell.data());
      return new ProcessBuilder(command)
          .directory(shell.data().toFile())
          .redirectInput(Redirect.from(new File("/dev/null")))
          .redirectOutput(Redirect.appendTo(log.toFile()))
          .redirectErrorStream(true)
          .start();
    } catch (IOException e) {
      throw Failure.of(
              ExitCode.NO_HUB,
              "cannot start the hub: " + e.getMessage(),
              "check that " + shell.data() + " is a writable directory")
          .because(e);
    }
  }

  /**
   * Returns the prefix of the start command. Without setsid(1), a shell ignores the signals of
   * Ctrl-C and of a closed terminal.
   */
  private List<String> detached() {
    return shell.onPath("setsid").isPresent()
        ? List.of("setsid")
        : List.of("/bin/sh", "-c", "trap '' HUP INT QUIT; exec \"$@\"", "sh");
  }

  private void await(Process process, Path log, long logFrom) throws InterruptedException {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    boolean ended = false;
    while (hub.health().isEmpty()) {
      if (!ended && !process.isAlive()) {
        // Another hub may have started first and may answer soon.
        ended = true;
        deadline = Math.min(deadline, System.nanoTime() + OTHER_HUB_TIMEOUT.toNanos());
      }
      if (System.nanoTime() > deadline) {
        throw failedToStart(ended, log, logFrom);
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private static Failure failedToStart(boolean ended, Path log, long from) {
    StringBuilder what = new StringBuilder("Hub failed to start");
    what.append(ended ? "." : " within " + TIMEOUT.toSeconds() + " s.").append(" Last log lines:");
    for (String line : lastLines(log, from)) {
      what.append("\n    ").append(TextSanitizer.line(line));
    }
    return Failure.of(ExitCode.NO_HUB, what.toString(), "full log: " + log);
  }

  private static List<String> lastLines(Path log, long from) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long start = Math.max(from, file.length() - 8 * 1024);
      byte[] bytes = new byte[(int) Math.max(0, file.length() - start)];
      file.seek(start);
      file.readFully(bytes);
      List<String> lines =
          new String(bytes, StandardCharsets.UTF_8).lines().filter(l -> !l.isBlank()).toList();
      return lines.subList(Math.max(0, lines.size() - LINES_OF_LOG), lines.size());
    } catch (IOException e) {
      return List.of();
    }
  }
}
