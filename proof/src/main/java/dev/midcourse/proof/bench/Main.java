package dev.midcourse.proof.bench;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Runs the benchmarks that are named, or all of them. */
public final class Main {
  /** Every benchmark there is; a new one is added here. */
  private static final List<Benchmark> ALL =
      List.of(
          new Startup(),
          new LedgerBench(),
          new SteerLatency(),
          new MailboxLatency(),
          new LiveRuns(),
          new PostLatency(),
          new EventLatency(),
          new IdleClients(),
          new RunListing());

  private Main() {}

  public static void main(String[] names) throws Exception {
    Path root = Path.of(System.getProperty("midcourse.root", "."));
    List<String> unknown =
        Arrays.stream(names)
            .filter(name -> ALL.stream().noneMatch(b -> b.name().equals(name)))
            .toList();
    if (!unknown.isEmpty()) {
      list(System.err, unknown);
      System.exit(2);
    }
    for (Benchmark benchmark : ALL) {
      if (names.length == 0 || List.of(names).contains(benchmark.name())) {
        System.out.println(benchmark.name() + ": " + benchmark.question());
        benchmark.run(root, System.out);
        System.out.println();
      }
    }
  }

  private static void list(PrintStream out, List<String> unknown) {
    out.println("bench: no such benchmark: " + String.join(", ", unknown) + ". There are:");
    ALL.forEach(benchmark -> out.println("  " + benchmark.name() + "  " + benchmark.question()));
  }
}
