package dev.midcourse.agents.sandbox;

import dev.midcourse.agents.process.AttemptFolder;
import dev.midcourse.agents.process.Mark;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A program as it would be started with nothing around it.
 *
 * @param folder where its input and output are
 * @param home its own home folder
 * @param workspace where it works
 * @param environment all of its environment but the mark
 * @param words the command
 */
public record Program(
    AttemptFolder folder,
    Mark mark,
    Path home,
    Path workspace,
    Map<String, String> environment,
    List<String> words) {
  public Program {
    environment = Map.copyOf(environment);
    words = List.copyOf(words);
  }
}
