package dev.midcourse.agents.process.attempt;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The line that a wrapper writes about itself into {@code pid}: its process id, the id of the boot,
 * whether the wrapper adopts the processes that the program leaves behind, and its line of the
 * process table.
 *
 * @param ticks when the wrapper started, in clock ticks since boot; -1 where the system does not
 *     say
 */
public record WrapperRecord(long pid, String boot, boolean adopts, long ticks, Instant written) {

  public static final String ADOPTS = "adopts";
  public static final String ADOPTS_NOTHING = "-";

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
