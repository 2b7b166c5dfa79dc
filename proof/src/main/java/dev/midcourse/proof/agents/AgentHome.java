package dev.midcourse.proof.agents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A configured agent for one lane of a scripted model: its program, its own home folder with
 * settings, and its complete environment.
 *
 * @param environment all of it; nothing of the parent's environment belongs to the agent
 */
public record AgentHome(Path program, Path folder, Map<String, String> environment) {

  /** The API key of every agent; no service accepts it. */
  static final String KEY = "sk-test";

  /** The model name that every agent is configured with. */
  static final String MODEL = "scripted-1";

  public AgentHome {
    environment = Map.copyOf(environment);
  }

  /**
   * Returns a home without settings: the program, its folder and the search path for the usual
   * commands.
   */
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

  /** Returns a copy with more variables. */
  public AgentHome with(Map<String, String> more) {
    var all = new TreeMap<>(environment);
    all.putAll(more);
    return new AgentHome(program, folder, all);
  }

  /**
   * Returns the agent's table for {@code midcourse.toml}: this program with this environment, and
   * all permissions allowed.
   *
   * @param more further lines of the table
   */
  public String settings(String name, List<String> more) {
    var table = new StringBuilder("[agents." + name + "]\n");
    table.append("command = ").append(quoted(program.toString())).append('\n');
    table.append("permissions = \"bypass\"\nhome = \"own\"\n");
    more.forEach(line -> table.append(line).append('\n'));
    table.append("[agents.").append(name).append(".environment]\n");
    new TreeMap<>(environment)
        .forEach(
            (key, value) -> table.append(key).append(" = ").append(quoted(value)).append('\n'));
    return table.append('\n').toString();
  }

  /** Returns a line of that table: the arguments of the program. */
  public static String arguments(List<String> words) {
    return words.stream()
        .map(AgentHome::quoted)
        .collect(Collectors.joining(", ", "arguments = [", "]"));
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** Returns the same home after writing a file into it. */
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
