package dev.midcourse.hub.boot;

import dev.midcourse.agents.sandbox.Sandbox;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The paths that every bubblewrap sandbox hides: the data folder of the hub, and the usual places
 * of secrets of the user. The list of these places is the file {@code hidden-paths.txt}.
 */
public record HiddenPaths(
    Path data, Path home, Map<String, String> environment, List<Listed> listed) {
  private static final String FILE = "hidden-paths.txt";
  private static final String COMMENT = "#";
  private static final String OWNER = ": ";
  private static final String VARIABLE = "$";

  /** The variables with which a user moves folders of the home elsewhere. */
  private static final Map<String, String> MOVED =
      Map.of(
          ".config/", "XDG_CONFIG_HOME",
          ".local/share/", "XDG_DATA_HOME",
          ".local/state/", "XDG_STATE_HOME",
          ".cache/", "XDG_CACHE_HOME");

  /**
   * A line of the list.
   *
   * @param agent the agent whose own path this is; blank if it is of no agent
   * @param pattern the path from the home, or from the path in a variable of the environment; its
   *     last name may contain {@code *}
   */
  public record Listed(String agent, String pattern) {
    boolean isOf(List<String> names) {
      return !agent.isEmpty()
          && names.stream().anyMatch(name -> (name + "-").startsWith(agent + "-"));
    }
  }

  public HiddenPaths {
    environment = Map.copyOf(environment);
    listed = List.copyOf(listed);
  }

  /** Returns the list for the user who started the hub. */
  public static HiddenPaths of(Path data) {
    return of(data, Path.of(System.getProperty("user.home")), System.getenv());
  }

  static HiddenPaths of(Path data, Path home, Map<String, String> environment) {
    return new HiddenPaths(data, home, environment, read());
  }

  private static List<Listed> read() {
    try (InputStream in =
            Objects.requireNonNull(HiddenPaths.class.getResourceAsStream(FILE), FILE);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return lines
          .lines()
          .map(String::strip)
          .filter(Predicate.not(String::isEmpty))
          .filter(line -> !line.startsWith(COMMENT))
          .map(HiddenPaths::listed)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Listed listed(String line) {
    int end = line.indexOf(OWNER);
    return end < 0
        ? new Listed("", line)
        : new Listed(line.substring(0, end), line.substring(end + OWNER.length()));
  }

  /**
   * Returns the sandbox of a worker with all paths that it hides. {@code visible} of the worker
   * takes paths away from the list; it never shows the data folder.
   *
   * @param agent the names of the worker's agent: its driver and its program
   */
  public Sandbox.Bubblewrap from(Sandbox.Bubblewrap worker, List<String> agent) {
    List<Path> visible =
        worker.visible().stream()
            .filter(path -> !path.startsWith(data) && !data.startsWith(path))
            .toList();
    Stream<Path> secrets =
        listed.stream()
            .filter(line -> !line.isOf(agent))
            .flatMap(line -> places(line.pattern()))
            .filter(path -> !home.startsWith(path))
            .flatMap(path -> found(path).stream())
            .filter(path -> visible.stream().noneMatch(path::startsWith));
    return new Sandbox.Bubblewrap(
        worker.network(),
        worker.unixSockets(),
        worker.writable(),
        Stream.of(Stream.of(data), secrets, worker.hidden().stream())
            .flatMap(paths -> paths)
            .toList(),
        visible);
  }

  /** Returns the absolute paths that a line stands for. The last name may contain {@code *}. */
  private Stream<Path> places(String pattern) {
    if (pattern.startsWith(VARIABLE)) {
      String name = pattern.substring(VARIABLE.length()).replaceFirst("/.*", "");
      String rest = pattern.substring(VARIABLE.length() + name.length()).replaceFirst("^/", "");
      return named(name).map(path -> rest.isEmpty() ? path : path.resolve(rest));
    }
    Stream<Path> moved =
        MOVED.entrySet().stream()
            .filter(folder -> pattern.startsWith(folder.getKey()))
            .flatMap(folder ->
                named(folder.getValue())
                    .map(path -> path.resolve(pattern.substring(folder.getKey().length()))));
    return Stream.concat(Stream.of(home.resolve(pattern)), moved);
  }

  /** Returns the absolute paths in a variable, which may name several. */
  private Stream<Path> named(String variable) {
    return Stream.of(environment.getOrDefault(variable, "").split(File.pathSeparator, -1))
        .filter(path -> path.startsWith("/"))
        .map(path -> Path.of(path).normalize());
  }

  /** Returns the path, or the existing paths that a pattern in its last name stands for. */
  private static List<Path> found(Path path) {
    String last = String.valueOf(path.getFileName());
    Path folder = path.getParent();
    if (folder == null || !last.contains("*")) {
      return List.of(path);
    }
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, last)) {
        entries.forEach(found::add);
      } catch (IOException e) {
        throw new UncheckedIOException("the paths to hide in " + folder + " cannot be listed", e);
      }
    }
    return found;
  }
}
