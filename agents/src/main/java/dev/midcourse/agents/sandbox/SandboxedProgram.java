package dev.midcourse.agents.sandbox;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

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
  public SandboxedProgram {
    environment = Map.copyOf(environment);
    words = List.copyOf(words);
  }
}
