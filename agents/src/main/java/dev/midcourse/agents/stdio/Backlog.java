package dev.midcourse.agents.stdio;

import dev.midcourse.agents.process.HostedProcess;
import dev.midcourse.agents.process.attempt.OutputFile;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The part of a program's output that still has to be held, and its bounds. What was heard and is
 * kept goes from the disk as soon as there is much of it; a program that is too far ahead of its
 * reader, or does not come to the end of a line, is not to be waited for. For the reader's thread.
 */
final class Backlog {
  /** Nothing is done for less than this. */
  static final long MUCH = 16 * 1024 * 1024;

  /** So much may wait to be heard. */
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

  /** Called from whichever thread keeps things, so it only remembers. */
  void keptTo(long offset) {
    kept.accumulateAndGet(offset, Math::max);
  }

  /** The output was read so far and understood so far; why the program is too much, if it is. */
  Optional<String> readTo(long read, long heard) {
    if (read - looked < MUCH) {
      return Optional.empty();
    }
    looked = read;
    boundErrors();
    long needless = kept.get() - MUCH;
    if (needless - forgotten >= MUCH) {
      program.forget(OutputFile.OUT, needless);
      forgotten = needless;
    }
    return written(OutputFile.OUT) - heard > MAX
        ? Optional.of("it wrote over " + MAX + " bytes more than could be read as messages")
        : Optional.empty();
  }

  /** Of what it writes to its standard error only the end is ever asked for. */
  void boundErrors() {
    long needless = written(OutputFile.ERR) - MUCH;
    if (needless - errorsForgotten >= MUCH) {
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
