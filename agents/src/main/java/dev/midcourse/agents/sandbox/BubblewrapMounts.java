package dev.midcourse.agents.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The mount arguments of bubblewrap, in order. A later mount lies above an earlier one. */
final class BubblewrapMounts implements Mounts {
  private final List<String> words = new ArrayList<>();

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

  private void over(String how, Path path) {
    words.addAll(List.of(how, path.toString(), path.toString()));
  }
}
