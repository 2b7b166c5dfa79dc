package dev.midcourse.agents.git;

import dev.midcourse.agents.process.os.NoFollowDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads files that an agent can exchange while they are read. */
final class AgentFile {
  private AgentFile() {}

  /**
   * Returns the text of a regular file below a folder. Empty for any other file and for a larger
   * one. No step of the path is a link. A file that the agent exchanges for a FIFO in the meantime
   * does not block the hub.
   *
   * @param file the path from the folder
   */
  static Optional<String> text(Path folder, Path file, int most) {
    List<String> steps = new ArrayList<>();
    file.forEach(step -> steps.add(step.toString()));
    String name = steps.removeLast();
    try {
      BasicFileAttributes is =
          Files.readAttributes(
              folder.resolve(file), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (!is.isRegularFile() || is.size() > most) {
        return Optional.empty();
      }
      byte[] bytes = bytes(folder, steps, name, (int) is.size() + 1);
      return bytes.length > most
          ? Optional.empty()
          : Optional.of(new String(bytes, StandardCharsets.UTF_8));
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  private static byte[] bytes(Path folder, List<String> steps, String name, int most)
      throws IOException {
    Optional<NoFollowDirectory> held = NoFollowDirectory.open(folder, steps);
    if (held.isEmpty()) {
      throw new IOException("this system cannot open folders without following links");
    }
    try (NoFollowDirectory parent = held.get()) {
      return parent.read(name, most);
    }
  }
}
