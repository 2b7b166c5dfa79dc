package dev.midcourse.hub.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * The process at the other end of a Unix socket. Its number alone names it only as long as it has
 * not ended: then the system gives the number to another process. So everything that is read about
 * the number counts only if {@link #isSame} is true afterwards.
 */
record PeerProcess(long pid, int user, Handle handle) implements AutoCloseable {

  /** Checks whether the process still has its number. */
  sealed interface Handle {

    /** A descriptor of the process that connected, made by the kernel. */
    record Descriptor(Path proc, int number, IntConsumer closes) implements Handle {}

    /**
     * The start time of the process with the number when the connection was accepted, where the
     * kernel has no descriptors of peers. A process that got the number before that is not noticed.
     */
    record StartTime(Path proc, Optional<String> ticks) implements Handle {}
  }

  private static final String PID = "Pid:";
  private static final int START_TIME = 22;

  /** Returns the handle of a process for which the kernel gives no descriptor. */
  static Handle startTime(Path proc, long pid) {
    return new Handle.StartTime(proc, startTicks(proc, pid));
  }

  /** Returns whether the number still belongs to the process that connected. */
  boolean isSame() {
    return switch (handle) {
      case Handle.Descriptor(Path proc, int number, _) ->
          read(proc.resolve("self/fdinfo").resolve(Integer.toString(number)))
              .flatMap(PeerProcess::pidIn)
              .filter(Long.toString(pid)::equals)
              .isPresent();
      case Handle.StartTime(Path proc, Optional<String> ticks) ->
          ticks.isPresent() && ticks.equals(startTicks(proc, pid));
    };
  }

  /** The number is -1 there as soon as the process has ended and its parent knows. */
  private static Optional<String> pidIn(String fdinfo) {
    return fdinfo
        .lines()
        .filter(line -> line.startsWith(PID))
        .map(line -> line.substring(PID.length()).strip())
        .findFirst();
  }

  /** The field is counted from the end of the name, which may itself hold blanks and brackets. */
  private static Optional<String> startTicks(Path proc, long pid) {
    return read(proc.resolve(Long.toString(pid)).resolve("stat"))
        .map(stat -> stat.substring(stat.lastIndexOf(')') + 1).strip().split("\\s+", -1))
        .filter(fields -> fields.length > START_TIME - 3)
        .map(fields -> fields[START_TIME - 3]);
  }

  private static Optional<String> read(Path file) {
    try {
      return Optional.of(new String(Files.readAllBytes(file), UTF_8));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    if (handle instanceof Handle.Descriptor(_, int number, IntConsumer closes)) {
      closes.accept(number);
    }
  }
}
