package dev.midcourse.agents.sandbox.mount;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The mount arguments of bubblewrap, in order. A later mount lies above an earlier one. */
public final class BubblewrapMounts implements Mounts {
  private final List<String> words = new ArrayList<>();
  private final List<Mount> order = new ArrayList<>();

  private enum Effect {
    HIDDEN,
    READABLE,
    WRITABLE
  }

  private record Mount(Path place, Effect effect) {
    boolean hides() {
      return effect == Effect.HIDDEN;
    }
  }

  public List<String> arguments() {
    return List.copyOf(words);
  }

  /**
   * Mounts an empty, writable folder over an existing folder. Its content is deleted when the
   * program ends.
   */
  public void empty(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      words.addAll(List.of("--tmpfs", folder.toRealPath().toString()));
      order.add(new Mount(folder.toRealPath(), Effect.HIDDEN));
    }
  }

  /**
   * Hides a path behind an empty folder or an empty file. Does nothing if the path does not exist.
   */
  public void hide(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      empty(path);
    } else if (Files.exists(path)) {
      words.addAll(List.of("--ro-bind", "/dev/null", path.toRealPath().toString()));
      order.add(new Mount(path.toRealPath(), Effect.HIDDEN));
    }
  }

  @Override
  public void writable(Path path) throws IOException {
    if (Files.exists(path)) {
      over("--bind", path.toRealPath(), Effect.WRITABLE);
    }
  }

  @Override
  public void readable(Path path) throws IOException {
    if (Files.exists(path)) {
      over("--ro-bind", path.toRealPath(), Effect.READABLE);
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
  public void readableIfThere(String path) {
    words.addAll(List.of("--ro-bind-try", path, path));
  }

  /** Creates a link in a folder that was mounted empty. */
  public void link(Path place, Path target) {
    words.addAll(List.of("--symlink", target.toString(), place.toString()));
  }

  /**
   * Returns the hidden path that contains this path, if the last mount over this path is a hidden
   * one.
   */
  public Optional<Path> hiding(Path path) {
    return last(path).filter(Mount::hides).map(Mount::place);
  }

  @Override
  public boolean shows(Path path) {
    return hiding(path).isEmpty()
        && order.stream().noneMatch(mount -> mount.hides() && mount.place().startsWith(path));
  }

  /**
   * Makes a writable folder a mount of its own, so that the program cannot rename it. Does nothing
   * to a folder that the program cannot write.
   */
  public void pin(Path folder) {
    if (last(folder).filter(mount -> mount.effect() == Effect.WRITABLE).isPresent()) {
      over("--bind", folder, Effect.WRITABLE);
    }
  }

  private Optional<Mount> last(Path path) {
    return order.stream()
        .filter(mount -> path.startsWith(mount.place()))
        .reduce((earlier, later) -> later);
  }

  private void over(String how, Path path, Effect effect) {
    order.add(new Mount(path, effect));
    words.addAll(List.of(how, path.toString(), path.toString()));
  }
}
