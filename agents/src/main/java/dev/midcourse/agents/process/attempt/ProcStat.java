package dev.midcourse.agents.process.attempt;

import java.util.StringTokenizer;

/** The fields of one line of {@code /proc/PID/stat} that process trees need. */
public record ProcStat(
    String name, char state, long parent, long group, long session, long threads, long start) {

  /**
   * Fields between {@code num_threads} (20) and {@code starttime} (22), counted as proc(5) does.
   */
  private static final int THREADS = 20;

  private static final int START = 22;

  /**
   * Parses a whole line. The name is in parentheses and may itself contain spaces and parentheses.
   */
  public static ProcStat parse(String line) {
    int open = line.indexOf('(');
    int close = line.lastIndexOf(") ");
    if (open < 0 || close < open) {
      throw new IllegalArgumentException("not a line of /proc/PID/stat: " + line);
    }
    return parseTail(line.substring(open + 1, close), line.substring(close + 2));
  }

  /** Returns the start time from the part of a line that follows the name. */
  public static long startOf(String tail) {
    return parseTail("", tail).start();
  }

  private static ProcStat parseTail(String name, String tail) {
    StringTokenizer fields = new StringTokenizer(tail);
    if (fields.countTokens() < START - 2) {
      throw new IllegalArgumentException("too short for /proc/PID/stat: " + tail);
    }
    char state = fields.nextToken().charAt(0);
    long parent = Long.parseLong(fields.nextToken());
    long group = Long.parseLong(fields.nextToken());
    long session = Long.parseLong(fields.nextToken());
    for (int field = 7; field < THREADS; field++) {
      fields.nextToken();
    }
    long threads = Long.parseLong(fields.nextToken());
    fields.nextToken();
    long start = Long.parseLong(fields.nextToken());
    return new ProcStat(name, state, parent, group, session, threads, start);
  }

  /**
   * Returns whether the process is dead but its parent has not yet collected it. A process whose
   * main thread has exited while other threads still run also has the state {@code Z}, but is
   * alive.
   */
  public boolean isZombie() {
    return state == 'X' || (state == 'Z' && threads <= 1);
  }
}
