package dev.midcourse.proof.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Folders that are gone when the measuring is over. */
public final class Folders {
  private Folders() {}

  public static Path make() throws IOException {
    return Files.createTempDirectory("midcourse-bench");
  }

  /** Deletes the folder with all that is in it; what is gone already is no trouble. */
  public static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
