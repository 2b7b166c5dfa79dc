package dev.midcourse.agents.sandbox;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A program with its command before the sandbox is added.
 *
 * @param folder the folder of its input and output
 * @param home its own home folder
 * @param workspace its working directory
 * @param environment its whole environment except the mark
 * @param words the command
 */
public record SandboxedProgram(
    AttemptFolder folder,
    ProcessMarker mark,
    Path home,
    Path workspace,
    Map<String, String> environment,
    List<String> words) {
  private static final String CLASS_PATH = "-cp";

  public SandboxedProgram {
    environment = Map.copyOf(environment);
    words = List.copyOf(words);
  }

  /** Returns the files that the command names and, for a Java command, its class path. */
  List<Path> files() {
    int classes = words.indexOf(CLASS_PATH) + 1;
    Stream<String> ofJava =
        classes > 0 && classes < words.size()
            ? Stream.of(words.get(classes).split(File.pathSeparator, -1))
            : Stream.empty();
    return Stream.concat(
            words.stream()
                .filter(word -> word.startsWith("/"))
                .map(Path::of)
                .filter(file -> Files.isRegularFile(file)),
            ofJava.map(Path::of))
        .distinct()
        .toList();
  }
}
