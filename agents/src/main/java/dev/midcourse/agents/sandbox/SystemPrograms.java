package dev.midcourse.agents.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the programs of the system that a confinement is made with. */
record SystemPrograms(List<Path> folders) {
  SystemPrograms {
    folders = List.copyOf(folders);
  }

  /** The system's own before those in somebody's path, which may be shims. */
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

  /** The program, or a refusal that says how to get it. */
  Path need(String name, String fromPackage) throws IOException {
    return find(name)
        .orElseThrow(() ->
            new MissingDependencyException(
                "the worker's settings need the program %s, which is not here: install %s"
                    .formatted(name, fromPackage)));
  }
}
