package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A data folder for a hub and a folder beside it. Tests check that no file is written there or in
 * the working folder of the hub.
 */
final class TestEnvironment {
  private static final String KEPT = "as it was";

  private final Path root;
  private final Set<String> workingFolder = named(Path.of(""));

  private TestEnvironment(Path root) {
    this.root = root;
  }

  static TestEnvironment in(Path root) throws IOException {
    TestEnvironment made = new TestEnvironment(root);
    Files.createDirectory(made.data());
    Files.createDirectory(made.neighbour());
    Files.writeString(made.neighbour().resolve("kept.txt"), KEPT);
    return made;
  }

  Path data() {
    return root.resolve("data");
  }

  private Path neighbour() {
    return root.resolve("neighbour");
  }

  void assertUntouched() {
    assertThat(named(root)).containsExactlyInAnyOrder("data", "neighbour");
    assertThat(named(neighbour())).containsExactly("kept.txt");
    assertThat(neighbour().resolve("kept.txt")).hasContent(KEPT);
    assertThat(named(Path.of(""))).isEqualTo(workingFolder);
  }

  /** Returns the names in the folder, without files of the build and the fuzzer. */
  private static Set<String> named(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.equals("target") && !name.startsWith(".cifuzz"))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
