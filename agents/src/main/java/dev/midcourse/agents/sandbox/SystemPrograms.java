package dev.midcourse.agents.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the programs of the system that provide sandboxes and limits. */
record SystemPrograms(List<Path> folders) {
  SystemPrograms {
    folders = List.copyOf(folders);
  }

  /**
   * Searches {@code /usr/bin} and {@code /bin} before the folders in {@code PATH}, which may
   * contain shims.
   */
  static SystemPrograms ofThisSystem() {
    String path = System.getenv().getOrDefault("PATH", "");
    return new SystemPrograms(
        Stream.of(("/usr/bin:/bin:" + path).split(":", -1))
            .filter(folder -> folder.startsWith("/"))
            .map(Path::of)
            .toList());
  }

  Optional<Path> find(String name) {
    return folders.stream()
        .map(folder -> folder.resolve(name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Returns the program. Throws an error that says how to install it if it is missing. */
  Path need(String name, String fromPackage) throws IOException {
    return find(name)
        .orElseThrow(() ->
            new MissingDependencyException(
                "the worker's settings need the program %s, which is not here: install %s"
                    .formatted(name, fromPackage)));
  }
}
