package dev.midcourse.agents.program;

import dev.midcourse.agents.process.CommandProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Asks a program for its version, within a bounded time. A known version is cached until the
 * program file changes. The program and its remaining descendants are killed afterwards.
 */
final class VersionProbe {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final int MAX_BYTES = 4096;
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

  private static String firstWords(Path program, Map<String, String> environment)
      throws IOException {
    List<String> words = List.of(program.toString(), "--version");
    return new CommandProbe(words, environment, TIMEOUT, MAX_BYTES).allWords().out();
  }
}
