/**
 * Decoders that cut an agent's output into frames: lines, or messages with a content length.
 *
 * <p>Decoders hold only the bytes of an unfinished frame. They know nothing of files, processes or
 * protocols.
 */
@NullMarked
package dev.midcourse.agents.process.framing;

import org.jspecify.annotations.NullMarked;
