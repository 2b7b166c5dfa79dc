package dev.midcourse.agents.process.framing;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * Cuts a stream of bytes into frames. The result does not depend on the chunks in which the bytes
 * arrive. Not thread-safe.
 */
public sealed interface FrameDecoder permits LineDecoder, ContentLengthDecoder {

  /** The largest size of a frame in bytes. A longer frame is cut. */
  int MAX_LENGTH = 8 * 1024 * 1024;

  /** Takes the next bytes and passes on every frame that they complete. */
  void feed(byte[] chunk, Consumer<OutputFrame> pieces);

  /** Returns the last, unfinished frame at the end of the stream. */
  Optional<OutputFrame> rest();
}
