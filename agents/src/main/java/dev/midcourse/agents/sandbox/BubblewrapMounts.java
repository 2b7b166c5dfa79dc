package dev.midcourse.agents.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What bubblewrap is to mount over the machine's files, in order: what comes later lies above. */
final class BubblewrapMounts implements Mounts {
  private final List<String> words = new ArrayList<>();

  List<String> arguments() {
    return List.copyOf(words);
  }

  /** A folder with nothing in it, that can be written and is gone with the program. */
  void empty(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      words.addAll(List.of("--tmpfs", folder.toRealPath().toString()));
    }
  }

  /** A folder that is empty, or a file with nothing in it; nothing where it is not there. */
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

  /** By its name as it stands, whatever lies above it now. */
  void readableIfThere(String path) {
    words.addAll(List.of("--ro-bind-try", path, path));
  }

  /** A link, in a folder that was emptied. */
  void link(Path place, Path target) {
    words.addAll(List.of("--symlink", target.toString(), place.toString()));
  }

  private void over(String how, Path path) {
    words.addAll(List.of(how, path.toString(), path.toString()));
  }
}
