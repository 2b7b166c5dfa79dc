package dev.midcourse.proof.bench;

import java.io.PrintStream;
import java.nio.file.Path;

/** One thing that is measured. It prints its own figures and leaves nothing behind. */
interface Benchmark {
  /** The word that selects it on the command line. */
  String name();

  /** One line that says what is measured and what the goal is. */
  String question();

  /**
   * Measures and prints.
   *
   * @param root the folder of the clone
   */
  void run(Path root, PrintStream out) throws Exception;
}
