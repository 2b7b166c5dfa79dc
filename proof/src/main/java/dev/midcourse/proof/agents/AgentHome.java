package dev.midcourse.proof.agents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * An agent that is ready to be started against one lane of a scripted model: its program, its own
 * home folder with its settings in it, and its whole environment.
 *
 * @param environment all of it; nothing of the parent's environment belongs to the agent
 */
public record AgentHome(Path program, Path folder, Map<String, String> environment) {

  /** The key every agent is given; it opens nothing. */
  static final String KEY = "sk-test";

  /** The model every agent is told to use. */
  static final String MODEL = "scripted-1";

  public AgentHome {
    environment = Map.copyOf(environment);
  }

  /** A home without settings: the program, where it lives and the path to the usual commands. */
  static AgentHome of(AgentPrograms programs, String name, Path folder) {
    return new AgentHome(
        programs.program(name),
        folder,
        Map.of(
            "HOME",
            folder.toString(),
            "PATH",
            programs.bin() + ":" + System.getenv("PATH"),
            "LANG",
            "C.UTF-8"));
  }

  /** The same home with more variables. */
  public AgentHome with(Map<String, String> more) {
    var all = new TreeMap<>(environment);
    all.putAll(more);
    return new AgentHome(program, folder, all);
  }

  /** The same home with a file in it. */
  AgentHome withFile(String path, String content) {
    try {
      var file = folder.resolve(path);
      Files.createDirectories(file.getParent());
      Files.writeString(file, content);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
