package dev.midcourse.agents.program;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Asks a program for its version, in bounded time, and again only when the program has changed.
 * Nothing of what was started is left behind.
 */
final class VersionProbe {
  private static final Duration LONGEST = Duration.ofSeconds(20);
  private static final int MOST_BYTES = 4096;
  private static final Map<Asked, Version> KNOWN = new ConcurrentHashMap<>();

  private VersionProbe() {}

  private record Asked(Path program, FileTime changed) {}

  static Version ask(Path program, Map<String, String> environment) {
    try {
      Asked asked = new Asked(program, Files.getLastModifiedTime(program));
      Version known = KNOWN.get(asked);
      if (known != null) {
        return known;
      }
      Version version = Version.in(firstWords(program, environment));
      if (!version.equals(Version.UNKNOWN)) {
        KNOWN.put(asked, version);
      }
      return version;
    } catch (IOException unstartable) {
      return Version.UNKNOWN;
    }
  }

  /** Its output goes to a file, so that no child of its that keeps a pipe open can hold us. */
  private static String firstWords(Path program, Map<String, String> environment)
      throws IOException {
    Path output = Files.createTempFile("version", ".txt");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(program.toString(), "--version")
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectErrorStream(true)
              .redirectOutput(output.toFile());
      builder.environment().clear();
      builder.environment().putAll(environment);
      awaitEnd(builder.start());
      try (var file = Files.newInputStream(output)) {
        return new String(file.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
      }
    } finally {
      Files.deleteIfExists(output);
    }
  }

  private static void awaitEnd(Process process) {
    try {
      process.waitFor(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    } finally {
      Stream.concat(process.descendants(), Stream.of(process.toHandle()))
          .forEach(ProcessHandle::destroyForcibly);
    }
  }
}
