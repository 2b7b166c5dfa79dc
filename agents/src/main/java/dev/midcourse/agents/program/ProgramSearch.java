package dev.midcourse.agents.program;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.core.agent.Capabilities;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Finds an agent's program in the same way as a shell, and asks the program for its version.
 *
 * @param name the name of the program, unless the settings give a command
 * @param hint how to install it
 * @param vendorVariables the variables of the hub's environment that belong to the program's vendor
 */
public record ProgramSearch(String name, String hint, Set<String> vendorVariables) {

  public ProgramSearch {
    vendorVariables = Set.copyOf(vendorVariables);
  }

  /** Returns the search for a program that only the settings name. */
  public static ProgramSearch ofSettings(String hint) {
    return new ProgramSearch("", hint, Set.of());
  }

  /** Returns the search for a program that npm installs. */
  public static ProgramSearch npm(String name, String npmPackage, String... vendorVariables) {
    return new ProgramSearch(name, "npm install -g " + npmPackage, Set.of(vendorVariables));
  }

  /** Returns the command to start: the configured command, or else the program's own name. */
  public String command(AgentSettings settings) {
    return settings.command().orElse(name);
  }

  /** Returns the variables that the program gets from the hub and from the settings. */
  public Map<String, String> environment(AgentSettings settings, HubEnvironment hub) {
    return hub.forAgent(settings, vendorVariables);
  }

  /**
   * Returns the found program with its version and the capabilities of that version, or the missing
   * or broken program with the hint.
   */
  public ProgramLookup find(
      AgentSettings settings, HubEnvironment hub, Function<ProgramVersion, Capabilities> canDo) {
    String path = settings.environment().getOrDefault("PATH", hub.path());
    Optional<Path> program = locate(command(settings), path);
    if (program.isEmpty()) {
      return new ProgramLookup.Missing(command(settings), hint);
    }
    Map<String, String> environment = new TreeMap<>();
    environment.put("HOME", System.getProperty("java.io.tmpdir"));
    environment.putAll(hub.utf8Locale());
    environment.putAll(hub.forAgent(settings, Set.of()));
    environment.put("PATH", path);
    String found = program.get().toString();
    return switch (VersionProbe.ask(program.get(), environment)) {
      case VersionProbe.Answer.Versioned(ProgramVersion version) ->
          new ProgramLookup.Found(found, version.text(), canDo.apply(version));
      // A program that only the settings name need not know --version.
      case VersionProbe.Answer.Failed(_, boolean startable) when startable && name.isEmpty() ->
          new ProgramLookup.Found(
              found, ProgramVersion.UNKNOWN.text(), canDo.apply(ProgramVersion.UNKNOWN));
      case VersionProbe.Answer.Failed(String why, _) -> new ProgramLookup.Broken(found, why, hint);
    };
  }

  /** Finds the program like {@link #find}, but does not start it to ask for its version. */
  public ProgramLookup findUnasked(AgentSettings settings, HubEnvironment hub, Capabilities can) {
    String path = settings.environment().getOrDefault("PATH", hub.path());
    return locate(command(settings), path)
        .<ProgramLookup>map(program ->
            new ProgramLookup.Found(program.toString(), ProgramVersion.UNKNOWN.text(), can))
        .orElseGet(() -> new ProgramLookup.Missing(command(settings), hint));
  }

  static Optional<Path> locate(String command, String path) {
    Stream<String> places =
        command.contains("/")
            ? Stream.of(command)
            : Stream.of(path.split(File.pathSeparator, -1)).map(folder -> folder + "/" + command);
    return places.flatMap(ProgramSearch::executable).findFirst();
  }

  private static Stream<Path> executable(String place) {
    try {
      Path program = Path.of(place).toAbsolutePath();
      return Files.isRegularFile(program) && Files.isExecutable(program)
          ? Stream.of(program)
          : Stream.empty();
    } catch (InvalidPathException notAPath) {
      return Stream.empty();
    }
  }
}
