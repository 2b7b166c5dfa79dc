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
 * The record of a program's container in the attempt folder. The record is written before the
 * container starts, so that every hub can find the container and remove it.
 */
record ContainerRecord(ContainerRuntime runtime, String name) {
  private static final String FILE = "container";
  private static final int NAME_BYTES = 12;

  static ContainerRecord of(ContainerRuntime runtime, ProcessMarker mark) {
    return new ContainerRecord(runtime, publicName(mark));
  }

  /**
   * Returns the name of the container or cgroup of this mark. The name contains a hash of the mark,
   * because every user can see the name and the mark must stay secret.
   */
  static String publicName(ProcessMarker mark) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(mark.token().getBytes(StandardCharsets.UTF_8));
      return "midcourse-" + HexFormat.of().formatHex(digest, 0, NAME_BYTES);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Reads the record from the folder, if the program of the folder runs or ran in a container. */
  static Optional<ContainerRecord> in(AttemptFolder folder) throws IOException {
    Path file = folder.path().resolve(FILE);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    List<String> lines = Files.readAllLines(file);
    if (lines.size() < 3) {
      return Optional.empty(); // a crash cut off the file, so nothing was started yet
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

  /** Ends and deletes the container, if it exists. */
  void remove() throws IOException {
    runtime.remove(name);
  }
}
