package dev.midcourse.proof.bench;

import dev.midcourse.core.Version;
import dev.midcourse.proof.bench.Report.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Writes what all benchmarks found as a page with a picture for each that measured times. */
final class Document {
  private final Map<Benchmark, List<Finding>> chapters = new LinkedHashMap<>();

  void add(Benchmark benchmark, List<Finding> findings) {
    chapters.put(benchmark, findings);
  }

  /** Writes {@code docs/benchmark.md} and the pictures beside it. */
  void write(Path root) throws IOException {
    Path docs = root.resolve("docs");
    Path pictures = Files.createDirectories(docs.resolve("benchmark"));
    StringBuilder page = new StringBuilder(head());
    for (var chapter : chapters.entrySet()) {
      Benchmark benchmark = chapter.getKey();
      page.append("## ").append(benchmark.title()).append("\n\n");
      page.append("`./bench ").append(benchmark.name()).append("`: ");
      page.append(benchmark.question()).append(".\n\n");
      tables(page, chapter.getValue());
      List<Finding.Times> times = only(Finding.Times.class, chapter.getValue());
      if (!times.isEmpty()) {
        String picture = benchmark.name() + ".svg";
        Files.writeString(pictures.resolve(picture), Picture.of(times));
        page.append("![").append(benchmark.title()).append("](benchmark/").append(picture);
        page.append(")\n\n");
      }
    }
    Files.writeString(docs.resolve("benchmark.md"), page.toString().stripTrailing() + "\n");
  }

  private static String head() throws IOException {
    return """
    # What it costs

    Written by `./bench --write`; do not change it by hand. Run `./bench` to have the figures of your machine.

    | | |
    |---|---|
    | version | %s |
    | date | %s |
    | machine | %s |
    | system | %s |
    | Java | %s |

    ## How it is measured

    - Everything that promises to be durable is: SQLite and PostgreSQL commit with their full guarantees, on a real disk.
    - Steers, events and yardsticks are sent at a fixed rate whatever the answers do (an open loop), and a time is counted
      from the moment a request was *due*. A stall is therefore seen by every request that it delayed, not by one. Files,
      stops, lists and the two stores are asked one after the other; `load` is the closed loop: so many callers, each
      asks again as soon as it is answered.
    - What a hub does all day is measured when Java has compiled it: before, requests are sent until the compilers are at
      rest. Starting and recovering are measured cold.
    - A machine that is shared with others may be half as quick for some seconds, whatever we do. So what depends on it is
      measured in three rounds, while a fixed piece of work is done every ten milliseconds and its processor time taken:
      the machine's pace. All rounds count together, and of single figures the one in the middle; but for a round in
      which the same work took a quarter longer than in the quickest. Each round is told, as p50 and pace, where 1.00
      is the quickest and 1.50 took half as long again.
    - Yardsticks and peers are measured in the same run, on the same machine.
    - Busy runs are the in-process twin of the rehearsal agent with five tool calls a second, unless it says that they are
      processes.
    - Pictures have a logarithmic scale: the dot is the median, the bar goes to the 99th percentile, the thin line to the
      worst. A goal is a vertical mark: light for the median, strong for the 99th percentile.

    """
        .formatted(
            Version.NUMBER,
            LocalDate.now(ZoneOffset.UTC),
            machine(),
            System.getProperty("os.name") + " " + System.getProperty("os.version"),
            System.getProperty("java.vm.name") + " " + Runtime.version());
  }

  private static void tables(StringBuilder page, List<Finding> findings) {
    List<Finding.Times> times = only(Finding.Times.class, findings);
    if (!times.isEmpty()) {
      page.append("| ms | p50 | p90 | p99 | max | goal | |\n|---|---:|---:|---:|---:|---|---|\n");
      times.forEach(row -> {
        page.append("| ").append(row.what());
        for (double share : List.of(0.5, 0.9, 0.99, 1.0)) {
          page.append(" | ").append(Report.number(row.samples().millis(share)));
        }
        verdict(page, row.goal(), row.goal().met(row.samples()));
      });
      page.append("\n");
    }
    List<Finding.Figure> figures = only(Finding.Figure.class, findings);
    if (!figures.isEmpty()) {
      page.append("| | | goal | |\n|---|---:|---|---|\n");
      figures.forEach(row -> {
        page.append("| ").append(row.what()).append(" | ").append(Report.number(row.value()));
        page.append(" ").append(row.unit());
        verdict(page, row.goal(), row.goal().met(row.value()));
      });
      page.append("\n");
    }
    List<Finding.Rounds> rounds = only(Finding.Rounds.class, findings);
    if (!rounds.isEmpty()) {
      page.append("All rounds, p50 and pace:\n\n");
      rounds.forEach(
          row -> page.append("- ").append(row.what()).append(": ").append(row.told()).append("\n"));
      page.append("\n");
    }
    only(Finding.Note.class, findings).forEach(note -> page.append(note.text()).append("\n\n"));
  }

  private static void verdict(StringBuilder page, Goal goal, boolean met) {
    page.append(" | ").append(goal.words());
    page.append(" | ").append(goal.isSet() ? met ? "met" : "**missed**" : "").append(" |\n");
  }

  private static <T extends Finding> List<T> only(Class<T> type, List<Finding> findings) {
    return findings.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private static String machine() throws IOException {
    int cores = Runtime.getRuntime().availableProcessors();
    return "%d cores%s, %s GB of memory"
        .formatted(
            cores,
            first("/proc/cpuinfo", "model name")
                .map(model -> " of " + model)
                .findFirst()
                .orElse(""),
            first("/proc/meminfo", "MemTotal")
                .map(total -> Long.parseLong(total.replaceAll("\\D", "")) / 1_000_000)
                .map(gb -> String.format(Locale.ROOT, "%d", gb))
                .findFirst()
                .orElse("?"));
  }

  private static Stream<String> first(String file, String name) throws IOException {
    Path path = Path.of(file);
    if (!Files.isReadable(path)) {
      return Stream.empty();
    }
    return Files.readAllLines(path).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .limit(1);
  }
}
