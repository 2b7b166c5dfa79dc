package dev.midcourse.agents.sandbox;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the files without which a program cannot start: the program, the interpreter in its first
 * line, the files that its command names and, for a Java command, its class path.
 */
final class ProgramFiles {
  private static final String CLASS_PATH = "-cp";
  private static final int MAX_FIRST_LINE = 256;
  private static final String ENV = "env";

  private ProgramFiles() {}

  /** Returns those that exist. */
  static List<Path> of(List<String> words, Map<String, String> environment) throws IOException {
    Set<Path> files = new LinkedHashSet<>();
    Optional<Path> first = onPath(words.getFirst(), environment);
    if (first.isPresent()) {
      files.add(first.get());
      interpreter(first.get(), environment).ifPresent(files::add);
    }
    words.stream()
        .filter(word -> word.startsWith("/"))
        .map(Path::of)
        .filter(file -> Files.isRegularFile(file))
        .forEach(files::add);
    classPath(words).filter(Files::exists).forEach(files::add);
    return List.copyOf(files);
  }

  private static Stream<Path> classPath(List<String> words) {
    int classes = words.indexOf(CLASS_PATH) + 1;
    return classes > 0 && classes < words.size()
        ? Stream.of(words.get(classes).split(File.pathSeparator, -1)).map(Path::of)
        : Stream.empty();
  }

  private static Optional<Path> onPath(String name, Map<String, String> environment) {
    Stream<Path> candidates =
        name.contains("/")
            ? Stream.of(Path.of(name)).filter(Path::isAbsolute)
            : Stream.of(environment.getOrDefault("PATH", "").split(":", -1))
                .filter(folder -> folder.startsWith("/"))
                .map(folder -> Path.of(folder, name));
    return candidates.filter(Files::isRegularFile).filter(Files::isExecutable).findFirst();
  }

  /**
   * Returns the program that runs a script, also if its first line names it through {@code env}.
   */
  private static Optional<Path> interpreter(Path script, Map<String, String> environment)
      throws IOException {
    byte[] start;
    try (InputStream in = Files.newInputStream(script)) {
      start = in.readNBytes(MAX_FIRST_LINE);
    }
    String text = new String(start, StandardCharsets.ISO_8859_1);
    if (!text.startsWith("#!")) {
      return Optional.empty();
    }
    String[] words = text.substring(2).lines().findFirst().orElse("").strip().split("\\s+", -1);
    if (!Path.of(words[0]).endsWith(ENV)) {
      return onPath(words[0], environment);
    }
    return Stream.of(words)
        .skip(1)
        .filter(word -> !word.startsWith("-") && !word.contains("="))
        .findFirst()
        .flatMap(name -> onPath(name, environment));
  }
}
