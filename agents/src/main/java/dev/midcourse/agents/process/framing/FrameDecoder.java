package dev.midcourse.agents.process.framing;

import java.util.Optional;
import java.util.function.Consumer;

/** Cuts a stream of bytes into pieces, whatever the chunks it comes in. For one thread. */
public sealed interface FrameDecoder permits LineDecoder, ContentLengthDecoder {

  /** What a piece may have before it is cut. */
  int MAX_LENGTH = 8 * 1024 * 1024;

  /** Takes the next bytes and gives every piece that they complete. */
  void feed(byte[] chunk, Consumer<OutputFrame> pieces);

  /** What is left when the stream is over: a last piece that nothing ended. */
  Optional<OutputFrame> rest();
}
