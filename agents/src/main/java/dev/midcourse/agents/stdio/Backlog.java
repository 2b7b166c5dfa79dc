package dev.midcourse.agents.stdio;

import dev.midcourse.agents.process.HostedProcess;
import dev.midcourse.agents.process.attempt.OutputFile;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the disk space of a program's output. Stored output is freed in steps of at least 16 MiB.
 * A program that is more than 1 GiB ahead of its last complete message is reported as unusable. For
 * the reader's thread only, except {@link #keptTo}.
 */
final class Backlog {
  /** The smallest number of bytes for which output is freed or checked. */
  static final long STEP_BYTES = 16 * 1024 * 1024;

  /** The maximum number of bytes that are written and not processed. */
  static final long MAX = 1024 * 1024 * 1024;

  private final HostedProcess program;
  private final AtomicLong kept = new AtomicLong();
  private long looked;
  private long forgotten;
  private long errorsForgotten;

  Backlog(HostedProcess program, long from) {
    this.program = program;
    this.looked = from;
  }

  /** Records that all events up to this offset are stored. Safe to call from any thread. */
  void keptTo(long offset) {
    kept.accumulateAndGet(offset, Math::max);
  }

  /**
   * Frees stored output. {@code read} is the offset of the last byte read, {@code decoded} the
   * offset of the last byte processed. Returns the reason if the program is too far ahead.
   */
  Optional<String> readTo(long read, long decoded) {
    if (read - looked < STEP_BYTES) {
      return Optional.empty();
    }
    looked = read;
    boundErrors();
    long needless = kept.get() - STEP_BYTES;
    if (needless - forgotten >= STEP_BYTES) {
      program.forget(OutputFile.OUT, needless);
      forgotten = needless;
    }
    return written(OutputFile.OUT) - decoded > MAX
        ? Optional.of("it wrote over " + MAX + " bytes more than could be read as messages")
        : Optional.empty();
  }

  /** Frees all of the standard error output except its end, because only the end is ever read. */
  void boundErrors() {
    long needless = written(OutputFile.ERR) - STEP_BYTES;
    if (needless - errorsForgotten >= STEP_BYTES) {
      program.forget(OutputFile.ERR, needless);
      errorsForgotten = needless;
    }
  }

  private long written(OutputFile file) {
    try {
      return program.written(file);
    } catch (IOException unreadable) {
      return 0;
    }
  }
}
