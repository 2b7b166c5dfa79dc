package dev.midcourse.agents.sandbox;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The word that a program's folder has of the container it is in, written before there is one: so
 * every hub can see to it that none is left.
 */
record ContainerRecord(ContainerRuntime runtime, String name) {
  private static final String FILE = "container";
  private static final int NAME_BYTES = 12;

  /** The container of this mark. A name can be seen by everybody, a mark must not. */
  static ContainerRecord of(ContainerRuntime runtime, ProcessMarker mark) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(mark.token().getBytes(StandardCharsets.UTF_8));
      return new ContainerRecord(
          runtime, "midcourse-" + HexFormat.of().formatHex(digest, 0, NAME_BYTES));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** What the folder says, if its program is, or was, in a container. */
  static Optional<ContainerRecord> in(AttemptFolder folder) throws IOException {
    Path file = folder.path().resolve(FILE);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    List<String> lines = Files.readAllLines(file);
    if (lines.size() < 3) {
      return Optional.empty(); // cut off by a crash, so nothing was started yet
    }
    ContainerRuntime runtime =
        new ContainerRuntime(
            ContainerRuntime.Kind.valueOf(lines.get(1)),
            Path.of(lines.get(2)),
            lines.subList(3, lines.size()));
    return Optional.of(new ContainerRecord(runtime, lines.getFirst()));
  }

  void writeTo(AttemptFolder folder) throws IOException {
    List<String> lines = new ArrayList<>(List.of(name, runtime.kind().name()));
    lines.add(runtime.program().toString());
    lines.addAll(runtime.options());
    Files.write(folder.path().resolve(FILE), lines, StandardOpenOption.CREATE_NEW);
  }

  /** Ends and deletes it, if it is there. */
  void remove() throws IOException {
    runtime.remove(name);
  }
}
