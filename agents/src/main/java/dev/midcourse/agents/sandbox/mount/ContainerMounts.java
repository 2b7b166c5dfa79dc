package dev.midcourse.agents.sandbox.mount;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The files of this machine that a container gets, mounted at the same paths. Runtimes mount deeper
 * paths later, whatever the order of the arguments.
 */
public final class ContainerMounts implements Mounts {
  /** Matches characters that a mount argument of the runtime cannot contain. */
  private static final Pattern UNSUPPORTED_CHARACTERS = Pattern.compile("[,\"\\p{Cntrl}]");

  private static final String READ_ONLY = ",readonly";

  private final Map<Path, String> byPlace = new LinkedHashMap<>();
  private final List<Path> hidden = new ArrayList<>();

  @Override
  public void writable(Path path) throws IOException {
    if (Files.exists(path)) {
      put(path.toRealPath(), path.toRealPath(), "");
    }
  }

  @Override
  public void readable(Path path) throws IOException {
    if (Files.exists(path)) {
      put(path.toRealPath(), path.toRealPath(), READ_ONLY);
    }
  }

  @Override
  public void writableAt(Path place, Path source) throws IOException {
    put(source.toRealPath(), place, "");
  }

  @Override
  public void readableAt(Path place, Path source) throws IOException {
    put(source.toRealPath(), place, READ_ONLY);
  }

  @Override
  public boolean shows(Path path) {
    return around(path).filter(it -> !hidden.contains(it)).isPresent()
        && hidden.stream().noneMatch(it -> it.startsWith(path));
  }

  /**
   * Puts an empty folder over a folder that is in a mounted one. The folders around it become
   * mounts too, so that the program cannot rename them. A {@code tmpfs} would not do: podman copies
   * what is below into it.
   */
  public void hide(Path folder, Path empty) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    Path place = folder.toRealPath();
    Optional<Path> mounted = around(place);
    if (mounted.isEmpty()) {
      return;
    }
    String how =
        byPlace.getOrDefault(mounted.get(), READ_ONLY).endsWith(READ_ONLY) ? READ_ONLY : "";
    for (Path above = place.getParent();
        above != null && above.startsWith(mounted.get()) && !above.equals(mounted.get());
        above = above.getParent()) {
      put(above, above, how);
    }
    hidden.add(place);
    put(Files.createDirectories(empty).toRealPath(), place, "");
  }

  /** Returns the deepest mounted folder that contains a path. */
  private Optional<Path> around(Path path) {
    return byPlace.keySet().stream()
        .filter(path::startsWith)
        .max(Comparator.comparingInt(Path::getNameCount));
  }

  /** Mounts a file or folder writable at another path, without resolving links. */
  public void at(Path place, Path source) throws IOException {
    put(source, place, "");
  }

  public List<String> arguments() {
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
