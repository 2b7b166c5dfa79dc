package dev.midcourse.agents.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The files of this machine that a container gets, mounted at the same paths. Runtimes mount deeper
 * paths later, whatever the order of the arguments.
 */
final class ContainerMounts implements Mounts {
  /** Matches characters that a mount argument of the runtime cannot contain. */
  private static final Pattern UNSUPPORTED_CHARACTERS = Pattern.compile("[,\"\\p{Cntrl}]");

  private final Map<Path, String> byPlace = new LinkedHashMap<>();

  @Override
  public void writable(Path path) throws IOException {
    if (Files.exists(path)) {
      put(path.toRealPath(), path.toRealPath(), "");
    }
  }

  @Override
  public void readable(Path path) throws IOException {
    if (Files.exists(path)) {
      put(path.toRealPath(), path.toRealPath(), ",readonly");
    }
  }

  @Override
  public void writableAt(Path place, Path source) throws IOException {
    put(source.toRealPath(), place, "");
  }

  @Override
  public void readableAt(Path place, Path source) throws IOException {
    put(source.toRealPath(), place, ",readonly");
  }

  /** Mounts a file or folder writable at another path, without resolving links. */
  void at(Path place, Path source) throws IOException {
    put(source, place, "");
  }

  List<String> arguments() {
    return List.copyOf(byPlace.values());
  }

  private void put(Path source, Path place, String how) throws IOException {
    if (UNSUPPORTED_CHARACTERS.matcher(source + " " + place).find()) {
      throw new IOException(
          "a container cannot have a path with a comma, a quote or a line break: " + source);
    }
    byPlace.put(place, "--mount=type=bind,source=" + source + ",target=" + place + how);
  }
}
