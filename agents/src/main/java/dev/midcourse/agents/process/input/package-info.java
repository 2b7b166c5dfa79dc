/**
 * Writes to the standard input of an agent: through a FIFO that the agent holds open, or through a
 * pipe.
 *
 * <p>A frame is written whole or not at all. The content of frames is decided elsewhere.
 */
@NullMarked
package dev.midcourse.agents.process.input;

import org.jspecify.annotations.NullMarked;
