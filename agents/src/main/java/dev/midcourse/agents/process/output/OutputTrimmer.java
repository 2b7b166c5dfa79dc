package dev.midcourse.agents.process.output;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.OutputFile;
import dev.midcourse.agents.process.os.Libc;
import java.util.Optional;

/**
 * Frees the disk space of output that is not needed any more. The first 1 MiB of a file stays
 * readable. The freed part reads as zeros. The file keeps its length, so all offsets stay valid.
 * Where the system cannot free a part of a file, the file stays unchanged.
 */
public final class OutputTrimmer {
  static final long BEGINNING = 1024 * 1024;

  private final Optional<Libc> libc;

  public OutputTrimmer(Optional<Libc> libc) {
    this.libc = libc;
  }

  /** Frees the part of the file between the first 1 MiB and the offset. */
  public void giveBack(AttemptFolder folder, OutputFile file, long upTo) {
    if (libc.isEmpty() || upTo <= BEGINNING) {
      return;
    }
    Libc calls = libc.get();
    int descriptor = calls.openForWriting(folder.output(file).toString());
    if (descriptor >= 0) {
      int _ = calls.punchHole(descriptor, BEGINNING, upTo - BEGINNING);
      calls.close(descriptor);
    }
  }
}
