package dev.midcourse.agents.process.output;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.OutputFile;
import dev.midcourse.agents.process.os.Libc;
import java.util.Optional;

/**
 * The space that an output file takes on disk. Of what is not needed any more the beginning stays,
 * for people; what follows is given back, and reads as zeros. The file keeps its length, so that
 * every offset means what it meant. Where the system cannot do this, the file stays as it is.
 */
public final class OutputTrimmer {
  static final long BEGINNING = 1024 * 1024;

  private final Optional<Libc> libc;

  public OutputTrimmer(Optional<Libc> libc) {
    this.libc = libc;
  }

  /** Gives back what stands between the beginning and the offset. */
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
