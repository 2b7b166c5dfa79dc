package dev.midcourse.agents.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.Launch;
import dev.midcourse.agents.process.attempt.OutputFile;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.agents.process.framing.FrameDecoder.OutputFrame;
import dev.midcourse.agents.process.framing.LineDecoder;
import dev.midcourse.agents.process.output.Tail;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.process.tree.TreeKillResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/** A hub in a JVM of its own, to be killed. Lines on its standard output say how far it got. */
final class KillableHub {

  private KillableHub() {}

  /** Arguments: what to do, a root folder, and the tokens of marks, whose folders are below it. */
  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[1]);
    List<String> tokens = List.of(arguments).subList(2, arguments.length);
    ProcessHost host = ProcessHost.open();
    switch (arguments[0]) {
      case "journal" -> journal(host, root, tokens.getFirst());
      case "start" -> startAll(host, root, tokens);
      case "write" -> writeForEver(host, root, tokens.getFirst());
      case "stop" -> stopAll(host, root, tokens);
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    new CountDownLatch(1).await();
  }

  private static Launch launch(Path root, ProcessMarker mark, String script) {
    return new Launch(
        List.of("/usr/bin/perl", "-e", "alarm 120; " + script),
        Map.of("PATH", HostedPrograms.path()),
        root,
        mark);
  }

  /** Starts a program that counts, and keeps every line and the offset after it in a journal. */
  private static void journal(ProcessHost host, Path root, String token) throws Exception {
    ProcessMarker mark = new ProcessMarker(token);
    HostedProcess program =
        host.start(
            launch(root, mark, HubKilledTest.COUNTING), AttemptFolder.create(root.resolve(token)));
    Path journal = root.resolve("journal");
    LineDecoder lines = new LineDecoder(0);
    Tail _ =
        program.follow(
            OutputFile.OUT,
            0,
            (chunk, after) -> lines.feed(chunk, piece -> append(journal, piece)));
    System.out.println("following");
  }

  private static void append(Path journal, OutputFrame piece) {
    String entry = ((OutputFrame.Whole) piece).text() + " " + piece.endOffset() + "\n";
    try {
      Files.writeString(
          journal, entry, UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** Starts programs one after the other as fast as it can. */
  private static void startAll(ProcessHost host, Path root, List<String> tokens) throws Exception {
    System.out.println("starting");
    for (String token : tokens) {
      ProcessMarker mark = new ProcessMarker(token);
      host.start(launch(root, mark, "sleep 60"), AttemptFolder.create(root.resolve(token)));
    }
    System.out.println("started");
  }

  /** Starts trees that ignore TERM, and ends all of them at once with a long timeout. */
  private static void stopAll(ProcessHost host, Path root, List<String> tokens) throws Exception {
    Random random = new Random(tokens.hashCode());
    List<HostedProcess> trees = new ArrayList<>();
    for (String token : tokens) {
      AttemptFolder folder = AttemptFolder.create(root.resolve(token));
      trees.add(
          host.start(
              launch(root, new ProcessMarker(token), EscapingPrograms.some(random)), folder));
    }
    System.out.println("stopping");
    Duration timeout = Duration.ofMillis(200);
    StopTimeouts grace = new StopTimeouts(Duration.ZERO, timeout, timeout);
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      executor.invokeAll(
          trees.stream()
              .map(tree -> (Callable<TreeKillResult>) () -> tree.tree().end(grace, () -> {}))
              .toList());
    }
  }

  /** Writes frames of many sizes to a program that does not read, then waits for its room. */
  private static void writeForEver(ProcessHost host, Path root, String token) throws Exception {
    ProcessMarker mark = new ProcessMarker(token);
    HostedProcess program =
        host.start(
            launch(root, mark, HubKilledTest.CHECKING), AttemptFolder.create(root.resolve(token)));
    System.out.println("writing");
    for (int i = 1; ; i++) {
      int length = (i * 7919) % 300_000;
      byte[] frame = (i + " " + length + " " + "x".repeat(length) + "\n").getBytes(UTF_8);
      program.write(frame, Duration.ofMinutes(1));
    }
  }
}
