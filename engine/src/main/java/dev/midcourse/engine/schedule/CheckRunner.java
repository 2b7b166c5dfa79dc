package dev.midcourse.engine.schedule;

import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.process.CommandProbe;
import dev.midcourse.core.schedule.CheckResult;
import dev.midcourse.core.schedule.Schedule;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Calls the check of a schedule, with bounded time and output. A program that is missing, fails,
 * takes too long or writes too much wakes nobody.
 */
final class CheckRunner {
  static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int MAX_OUTPUT_BYTES = 1024 * 1024;

  /** The unit of {@code ulimit -f} in a POSIX shell is 512 bytes; the file has a spare block. */
  private static final String LIMITED = "ulimit -f " + (MAX_OUTPUT_BYTES / 512) + "; exec \"$0\"";

  private final HubEnvironment environment;
  private final Duration timeout;

  CheckRunner(HubEnvironment environment, Duration timeout) {
    this.environment = environment;
    this.timeout = timeout;
  }

  CheckResult run(Schedule schedule, Instant due, String path) {
    Map<String, String> variables = new HashMap<>(environment.utf8Locale());
    variables.put("PATH", environment.path());
    for (String name : List.of("HOME", "USER", "LOGNAME")) {
      String value = environment.variables().getOrDefault(name, "");
      if (!value.isEmpty()) {
        variables.put(name, value);
      }
    }
    variables.put("MIDCOURSE_SCHEDULE", schedule.id().value());
    variables.put("MIDCOURSE_DUE", due.toString());
    variables.put("TZ", schedule.zone().getId());
    CommandProbe command =
        new CommandProbe(
            List.of("/bin/sh", "-c", LIMITED, path), variables, timeout, MAX_OUTPUT_BYTES);
    try {
      CommandProbe.ProbeResult result = command.output();
      if (result.code().isEmpty()) {
        return new CheckResult.Quiet(
            "the check took longer than " + timeout.toSeconds() + " s and was ended");
      }
      int code = result.code().getAsInt();
      return code == 0
          ? CheckResult.parse(result.out())
          : new CheckResult.Quiet("the check failed with exit code " + code);
    } catch (IOException e) {
      return new CheckResult.Quiet("the check could not be started: " + e.getMessage());
    }
  }
}
