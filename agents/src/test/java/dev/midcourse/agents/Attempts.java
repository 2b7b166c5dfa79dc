package dev.midcourse.agents;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** Orders for one attempt after the other, all in one folder. */
public final class Attempts {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Path folder;
  private int number;

  public Attempts(Path folder) {
    this.folder = folder;
  }

  public AttemptSpec next() {
    return next(Optional.empty(), Map.of());
  }

  public AttemptSpec next(Optional<SessionId> resume, Map<String, String> environment) {
    byte[] mark = new byte[16];
    RANDOM.nextBytes(mark);
    number++;
    return new AttemptSpec(
        RunId.of("some-run"),
        number,
        HexFormat.of().formatHex(mark),
        folder.resolve("attempt-" + number),
        folder.resolve("home"),
        workspace(),
        resume,
        environment);
  }

  public Path workspace() {
    try {
      return Files.createDirectories(folder.resolve("workspace"));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
