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
  private static final Map<Asked, ProgramVersion> KNOWN = new ConcurrentHashMap<>();

  private VersionProbe() {}

  private record Asked(Path program, FileTime changed) {}

  /** The answer of the program. */
  sealed interface Answer {
    record Versioned(ProgramVersion version) implements Answer {}

    /**
     * The program does not work.
     *
     * @param startable whether it could be started at all
     */
    record Failed(String why, boolean startable) implements Answer {}
  }

  static Answer ask(Path program, Map<String, String> environment) {
    try {
      Asked asked = new Asked(program, Files.getLastModifiedTime(program));
      ProgramVersion known = KNOWN.get(asked);
      if (known != null) {
        return new Answer.Versioned(known);
      }
      List<String> words = List.of(program.toString(), "--version");
      CommandProbe.ProbeResult result =
          new CommandProbe(words, environment, TIMEOUT, MAX_BYTES).allWords();
      ProgramVersion version = ProgramVersion.in(result.out());
      int status = result.code().orElse(0);
      if (isUnstartable(status) || (status != 0 && version.equals(ProgramVersion.UNKNOWN))) {
        return new Answer.Failed(
            "--version exited with status " + status + firstLine(result.out()),
            !isUnstartable(status));
      }
      if (!version.equals(ProgramVersion.UNKNOWN)) {
        KNOWN.put(asked, version);
      }
      return new Answer.Versioned(version);
    } catch (IOException unstartable) {
      return new Answer.Failed("it cannot be started: " + unstartable.getMessage(), false);
    }
  }

  /** A shell exits with these when a program, or its interpreter, is missing or not executable. */
  private static boolean isUnstartable(int status) {
    return status == 126 || status == 127;
  }

  private static String firstLine(String out) {
    return out.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .findFirst()
        .map(line -> ": " + line)
        .orElse("");
  }
}
