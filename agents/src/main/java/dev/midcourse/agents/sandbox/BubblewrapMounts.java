package dev.midcourse.agents.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The mount arguments of bubblewrap, in order. A later mount lies above an earlier one. */
final class BubblewrapMounts implements Mounts {
  private final List<String> words = new ArrayList<>();
  private final List<Mount> order = new ArrayList<>();

  private record Mount(Path place, boolean hides) {}

  List<String> arguments() {
    return List.copyOf(words);
  }

  /**
   * Mounts an empty, writable folder over an existing folder. Its content is deleted when the
   * program ends.
   */
  void empty(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      words.addAll(List.of("--tmpfs", folder.toRealPath().toString()));
      order.add(new Mount(folder.toRealPath(), true));
    }
  }

  /**
   * Hides a path behind an empty folder or an empty file. Does nothing if the path does not exist.
   */
  void hide(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      empty(path);
    } else if (Files.exists(path)) {
      words.addAll(List.of("--ro-bind", "/dev/null", path.toRealPath().toString()));
      order.add(new Mount(path.toRealPath(), true));
    }
  }

  @Override
  public void writable(Path path) throws IOException {
    if (Files.exists(path)) {
      over("--bind", path.toRealPath());
    }
  }

  @Override
  public void readable(Path path) throws IOException {
    if (Files.exists(path)) {
      over("--ro-bind", path.toRealPath());
    }
  }

  @Override
  public void writableAt(Path place, Path source) throws IOException {
    words.addAll(List.of("--bind", source.toRealPath().toString(), place.toString()));
  }

  @Override
  public void readableAt(Path place, Path source) throws IOException {
    words.addAll(List.of("--ro-bind", source.toRealPath().toString(), place.toString()));
  }

  /**
   * Mounts a path read-only if it exists, without resolving links, also when an earlier mount
   * covers the path.
   */
  void readableIfThere(String path) {
    words.addAll(List.of("--ro-bind-try", path, path));
  }

  /** Creates a link in a folder that was mounted empty. */
  void link(Path place, Path target) {
    words.addAll(List.of("--symlink", target.toString(), place.toString()));
  }

  /**
   * Returns the hidden path that contains this path, if the last mount over this path is a hidden
   * one.
   */
  Optional<Path> hiding(Path path) {
    return order.stream()
        .filter(mount -> path.startsWith(mount.place()))
        .reduce((earlier, later) -> later)
        .filter(Mount::hides)
        .map(Mount::place);
  }

  private void over(String how, Path path) {
    order.add(new Mount(path, false));
    words.addAll(List.of(how, path.toString(), path.toString()));
  }
}
