/**
 * Reads the agents' own transcripts and the ledger after a crash drill, and decides what was lost,
 * doubled, out of order or falsely claimed. Not here: sending steers and killing hubs ({@code
 * proof.crash}).
 */
@NullMarked
package dev.midcourse.proof.crash.check;

import org.jspecify.annotations.NullMarked;
