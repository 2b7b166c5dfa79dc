package dev.midcourse.proof.agents;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The agents that {@code proof/agents/install} installed in the cache folder of the repository. */
public record AgentPrograms(Path bin) {

  /** The message if the agents are not installed. */
  public static final String HOW_TO_INSTALL = "no agents installed: run proof/agents/install";

  /**
   * Searches the folder that {@code MIDCOURSE_AGENTS} names, or {@code .cache/agents} in the
   * working folder and its parents.
   */
  public static Optional<AgentPrograms> find() {
    var named = System.getenv("MIDCOURSE_AGENTS");
    if (named != null) {
      return in(Path.of(named));
    }
    for (var folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      var found = in(folder.resolve(".cache/agents"));
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static Optional<AgentPrograms> in(Path folder) {
    return Files.isRegularFile(folder.resolve("installed"))
        ? Optional.of(new AgentPrograms(folder.resolve("bin")))
        : Optional.empty();
  }

  /** Returns the program with this name. */
  public Path program(String name) {
    var program = bin.resolve(name);
    if (!Files.isExecutable(program)) {
      throw new IllegalArgumentException("there is no " + program);
    }
    return program;
  }
}
