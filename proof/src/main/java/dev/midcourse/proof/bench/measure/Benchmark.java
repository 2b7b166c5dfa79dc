package dev.midcourse.proof.bench.measure;

import java.nio.file.Path;

/** One thing that is measured. It reports its figures and leaves nothing behind. */
public interface Benchmark {
  /** The word that selects it on the command line. */
  String name();

  /** A few words over its chapter in the document. */
  String title();

  /** One line that says what is measured. */
  String question();

  /**
   * Measures and reports.
   *
   * @param root the folder of the clone
   */
  void run(Path root, Report report) throws Exception;
}
