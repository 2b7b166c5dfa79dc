package dev.midcourse.agents.process.attempt;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The line a wrapper writes of itself into {@code pid}: its number, the boot it lives in, whether
 * it adopts what the program leaves behind, and its line of the process table.
 *
 * @param ticks when it started, in clock ticks since boot; -1 where the system does not say
 */
public record WrapperRecord(long pid, String boot, boolean adopts, long ticks, Instant written) {

  public static final String ADOPTS = "adopts";
  public static final String ADOPTS_NOT = "-";

  private static final Pattern SPACE = Pattern.compile(" ");

  public static Optional<WrapperRecord> parse(String line, Instant written) {
    String[] words = SPACE.split(line, 4);
    try {
      long pid = Long.parseLong(words[0]);
      String boot = words.length > 1 ? words[1] : "";
      boolean adopts = words.length > 2 && words[2].equals(ADOPTS);
      long ticks = words.length > 3 && !words[3].isBlank() ? ProcStat.startOf(words[3]) : -1;
      return pid > 1
          ? Optional.of(new WrapperRecord(pid, boot, adopts, ticks, written))
          : Optional.empty();
    } catch (IllegalArgumentException notOurs) {
      return Optional.empty();
    }
  }
}
