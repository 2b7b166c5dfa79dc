package dev.midcourse.proof.bench;

import dev.midcourse.proof.bench.chat.ChannelMessages;
import dev.midcourse.proof.bench.chat.ChatMessages;
import dev.midcourse.proof.bench.loop.AutopilotLoops;
import dev.midcourse.proof.bench.measure.Benchmark;
import dev.midcourse.proof.bench.measure.Document;
import dev.midcourse.proof.bench.measure.Report;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs the named benchmarks, or all of them. */
public final class Main {
  private static final String WRITE = "--write";
  private static final String HELP = "--help";

  /** All benchmarks; a new one is added here. */
  private static final List<Benchmark> ALL =
      List.of(
          new Startup(),
          new SteerLatency(),
          new CoreDecisions(),
          new Yardsticks(),
          new PostLatency(),
          new ChatMessages(),
          new ChannelMessages(),
          new ClosedLoop(),
          new EventLatency(),
          new StopTime(),
          new GatewayLatency(),
          new Recovery(),
          new LedgerBench(),
          new MailboxLatency(),
          new AutopilotLoops(),
          new LiveRuns(),
          new IdleClients(),
          new RunListing());

  private Main() {}

  public static void main(String[] args) throws Exception {
    Logger.getLogger("").setLevel(Level.WARNING); // databases log much when they start
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Path root = Path.of(System.getProperty("midcourse.root", "."));
    if (Arrays.asList(args).contains(HELP)) {
      explain(out);
      return;
    }
    boolean write = Arrays.asList(args).contains(WRITE);
    List<String> names = Arrays.stream(args).filter(arg -> !arg.equals(WRITE)).toList();
    List<String> unknown =
        names.stream().filter(name -> ALL.stream().noneMatch(b -> b.name().equals(name))).toList();
    if (!unknown.isEmpty()) {
      System.err.println("bench: no such benchmark: " + String.join(", ", unknown));
      explain(System.err);
      System.exit(2);
    }
    Document document = new Document();
    for (Benchmark benchmark : ALL) {
      if (names.isEmpty() || names.contains(benchmark.name())) {
        out.println(benchmark.name() + ": " + benchmark.question());
        Report report = new Report(out);
        benchmark.run(root, report);
        document.add(benchmark, report.findings());
        out.println();
      }
    }
    if (write && names.isEmpty()) {
      document.write(root);
    } else if (write) {
      document.replace(root, ALL);
    }
    if (write) {
      out.println("written: docs/benchmark.md");
    }
  }

  private static void explain(PrintStream to) {
    to.println(
        "usage: ./bench [NAME...] to measure; with --write also to write docs/benchmark.md, or only"
            + " the chapters of the named benchmarks");
    ALL.forEach(benchmark -> to.printf("  %-13s %s%n", benchmark.name(), benchmark.question()));
  }
}
