package dev.midcourse.cli.watch;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Opens a link with the program that the system has for it. */
final class LinkOpener {
  private static final String[] PROGRAMS = {"xdg-open", "open"};

  private LinkOpener() {}

  /**
   * Returns what happened. Only a link of the web is opened; another is never given to a program.
   */
  static String open(String url) {
    boolean web = url.startsWith("https://") || url.startsWith("http://");
    Optional<Path> program = web ? program() : Optional.empty();
    if (program.isEmpty()) {
      return url;
    }
    try {
      Process _ =
          new ProcessBuilder(program.get().toString(), url)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectInput(new File("/dev/null"))
              .start();
      return "opened " + url;
    } catch (IOException e) {
      return url;
    }
  }

  private static Optional<Path> program() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.of(PROGRAMS)
        .flatMap(name ->
            Stream.of(path.split(File.pathSeparator, -1)).map(folder -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
