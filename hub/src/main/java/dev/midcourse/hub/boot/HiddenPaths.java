package dev.midcourse.hub.boot;

import dev.midcourse.agents.sandbox.Sandbox;
import java.io.BufferedReader;
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
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The paths that every bubblewrap sandbox hides: the data folder of the hub, and the usual places
 * of secrets in the home of the user. The list of these places is the file {@code
 * hidden-paths.txt}.
 */
public record HiddenPaths(Path data, Path home, List<Listed> listed) {
  private static final String FILE = "hidden-paths.txt";
  private static final String COMMENT = "#";
  private static final String OWNER = ": ";

  /**
   * A line of the list.
   *
   * @param agent the agent whose own path this is; blank if it is of no agent
   * @param pattern the path from the home; its last name may contain {@code *}
   */
  public record Listed(String agent, String pattern) {
    boolean isOf(List<String> names) {
      return !agent.isEmpty()
          && names.stream().anyMatch(name -> (name + "-").startsWith(agent + "-"));
    }
  }

  public HiddenPaths {
    listed = List.copyOf(listed);
  }

  /** Returns the list for the user who started the hub. */
  public static HiddenPaths of(Path data) {
    return of(data, Path.of(System.getProperty("user.home")));
  }

  static HiddenPaths of(Path data, Path home) {
    return new HiddenPaths(data, home, read());
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
            .flatMap(line -> found(line.pattern()).stream())
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

  /** Returns the existing paths of a pattern. */
  private List<Path> found(String pattern) {
    Path path = home.resolve(pattern);
    Path folder = Objects.requireNonNullElse(path.getParent(), home);
    if (!pattern.contains("*")) {
      return List.of(path);
    }
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      String last = String.valueOf(path.getFileName());
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, last)) {
        entries.forEach(found::add);
      } catch (IOException e) {
        throw new UncheckedIOException("the paths to hide in " + folder + " cannot be listed", e);
      }
    }
    return found;
  }
}
