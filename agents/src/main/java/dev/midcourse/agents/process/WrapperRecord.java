package dev.midcourse.agents.process;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The line a wrapper writes of itself into {@code pid}: its number, the boot it lives in and its
 * line of the process table.
 *
 * @param ticks when it started, in clock ticks since boot; -1 where the system does not say
 */
record WrapperRecord(long pid, String boot, long ticks, Instant written) {

  private static final Pattern SPACE = Pattern.compile(" ");

  static Optional<WrapperRecord> parse(String line, Instant written) {
    String[] words = SPACE.split(line, 3);
    try {
      long pid = Long.parseLong(words[0]);
      String boot = words.length > 1 ? words[1] : "";
      long ticks = words.length > 2 && !words[2].isBlank() ? ProcStat.startOf(words[2]) : -1;
      return pid > 1 ? Optional.of(new WrapperRecord(pid, boot, ticks, written)) : Optional.empty();
    } catch (IllegalArgumentException notOurs) {
      return Optional.empty();
    }
  }
}
