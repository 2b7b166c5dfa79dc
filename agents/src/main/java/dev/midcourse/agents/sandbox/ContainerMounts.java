package dev.midcourse.agents.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What a container has of this machine's files, at the same places. Runtimes mount what lies deeper
 * later, whatever the order of their words.
 */
final class ContainerMounts implements Mounts {
  /** What would end a field of the runtime's list. */
  private static final Pattern UNSPEAKABLE = Pattern.compile("[,\"\\p{Cntrl}]");

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

  /** Something that can be written, at another place; its name as it stands. */
  void at(Path place, Path source) throws IOException {
    put(source, place, "");
  }

  List<String> arguments() {
    return List.copyOf(byPlace.values());
  }

  private void put(Path source, Path place, String how) throws IOException {
    if (UNSPEAKABLE.matcher(source + " " + place).find()) {
      throw new IOException(
          "a container cannot have a path with a comma, a quote or a line break: " + source);
    }
    byPlace.put(place, "--mount=type=bind,source=" + source + ",target=" + place + how);
  }
}
