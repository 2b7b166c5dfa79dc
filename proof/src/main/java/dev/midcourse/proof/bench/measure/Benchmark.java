package dev.midcourse.proof.bench.measure;

import java.nio.file.Path;

/** One measurement. It reports its figures and removes its files and processes. */
public interface Benchmark {
  /** Returns the word that selects the benchmark on the command line. */
  String name();

  /** Returns the heading of its chapter in the document. */
  String title();

  /** Returns one line that describes the measured value. */
  String question();

  /**
   * Measures and reports.
   *
   * @param root the folder of the clone
   */
  void run(Path root, Report report) throws Exception;
}
