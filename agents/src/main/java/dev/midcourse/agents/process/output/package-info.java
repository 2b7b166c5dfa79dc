/**
 * Follows the output files of agents and frees the disk space of output that has been stored.
 *
 * <p>One watcher serves all files. A fair scheduler keeps a flooded file from starving a quiet one.
 * Decoding the bytes is in {@code framing}.
 */
@NullMarked
package dev.midcourse.agents.process.output;

import org.jspecify.annotations.NullMarked;
